"""find_iter, find_all, Finder and Match."""

import array
import copy
import mmap
import operator
import pickle
import threading
import time
import tracemalloc

import pytest
import urlgrep
from urlgrep import _html, _urlgrep

WRAPPED = "at <URL:http://h.org/foo-\n bar>, or ftp://me:secret@F.org:2121/a#b"


def test_attributes():
    wrapped, bare = urlgrep.find_all(WRAPPED, line_numbers=True)
    assert (wrapped.url, wrapped.url_bytes) == ("http://h.org/foo-bar", b"http://h.org/foo-bar")
    assert (wrapped.start, wrapped.end) == (3, 31)
    assert wrapped.pieces == ((8, 25), (27, 30))
    assert (wrapped.url_range, wrapped.has_scheme) == ((8, 30), True)
    [implied] = urlgrep.find_all("at www.h.org.", schemeless="hosts")
    assert (implied.url_range, implied.has_scheme) == ((3, 12), False)
    assert (wrapped.scheme, wrapped.host, wrapped.port) == ("http", "h.org", 80)
    assert (wrapped.form, wrapped.grade, wrapped.reason, wrapped.join) == ("wrapper", "rfc1738", None, "delimited")
    assert (wrapped.alternatives, wrapped.warnings) == (("http://h.org/foobar",), ())
    assert (wrapped.line, wrapped.column, wrapped.message, wrapped.path) == (1, 4, None, None)
    assert (bare.host, bare.port, bare.join) == ("f.org", 2121, None)
    assert set(bare.warnings) >= {"password"}
    assert (bare.line, bare.column) == (2, 11)
    assert str(bare) == bare.url == "ftp://me:secret@F.org:2121/a#b"
    assert repr(wrapped) == "<urlgrep.Match 'http://h.org/foo-bar' at 3..31, wrapper>"


SAFE = "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.org%2Fa%3Fb%3D1&data=05"


def test_invalid():
    port, valid = urlgrep.find_all("http://h.org:80800/ http://h.org/")
    assert port.invalid == {"kind": "port", "part": "80800", "expected": "a number up to 65535"}
    assert valid.invalid is None


def test_defanged():
    text = "at hxxp://h[.]org/a and http://h.org/b"
    defanged, bare = urlgrep.find_all(text, refang=True)
    assert (defanged.url, defanged.form, defanged.host) == ("http://h.org/a", "defanged", "h.org")
    assert text[defanged.start : defanged.end] == "hxxp://h[.]org/a"
    assert defanged.pieces == ((3, 19),)
    assert bare.form == "bare"
    assert [match.url for match in urlgrep.find_iter(text)] == ["http://h.org/b"]
    assert [match.url for match in urlgrep.Finder(refang=True).find_iter(text.encode())] == [defanged.url, bare.url]


def test_of_no_scheme_there_is_no_url():
    assert list(urlgrep.find_iter("http://h.org/ ftp://h.org/", schemes=[])) == []


def test_unwrapped():
    text = f"é {SAFE} http://h.org/c"
    inside, other = urlgrep.find_all(text, unwrap=True)
    assert (inside.url, inside.unwrapped, inside.alternatives) == ("https://h.org/a?b=1", ("safelinks",), (SAFE,))
    assert text[inside.start : inside.end] == SAFE
    assert (inside.scheme, inside.host, inside.port) == ("https", "h.org", 443)
    assert (other.url, other.unwrapped) == ("http://h.org/c", ())
    assert (inside.as_dict()["unwrapped"], other.as_dict()["unwrapped"]) == (["safelinks"], [])
    for match in (inside, other):
        copied = pickle.loads(pickle.dumps(match))
        assert (copied, copied.unwrapped, copied.as_dict()) == (match, match.unwrapped, match.as_dict())
    (verbatim, _) = urlgrep.find_iter(text)
    assert (verbatim.url, verbatim.unwrapped) == (SAFE, ())
    assert "unwrapped" not in verbatim.as_dict()
    # The filter looks at what is within.
    assert [match.url for match in urlgrep.find_iter(SAFE, unwrap=True, schemes="http")] == []


def test_unwrap():
    assert urlgrep.unwrap(SAFE) == "https://h.org/a?b=1"
    assert urlgrep.unwrap(SAFE.encode()) == b"https://h.org/a?b=1"
    twice = "https://www.google.com/url?q=" + SAFE.replace("%", "%25").replace("&", "%26").replace("=", "%3D").replace("?", "%3F")
    assert urlgrep.unwrap(twice) == "https://h.org/a?b=1"
    for url in ("https://h.org/?url=https%3A%2F%2Fexample.org%2F", "", "\ud800", b"\xff"):
        assert urlgrep.unwrap(url) is None
    for wrong in (None, 1, bytearray(b"http://h.org/")):
        with pytest.raises(TypeError, match="expected str or bytes"):
            urlgrep.unwrap(wrong)


@pytest.mark.parametrize("option", ["refang", "unwrap"])
def test_options_that_are_not_a_bool(option):
    with pytest.raises(TypeError, match=f'option "{option}": expected a bool, found int'):
        urlgrep.find_all("", **{option: 1})


def test_a_reason():
    (match,) = urlgrep.find_iter("http://h.org/~me/")
    assert match.grade == "rfc3986"
    assert (match.reason["production"], match.reason["offset"]) == ("hsegment", 13)
    assert "'~'" in match.reason["message"] or '"~"' in match.reason["message"]


def test_beyond_ascii():
    (match,) = urlgrep.find_iter("http://exämple.org/ü")
    assert match.ascii == "http://xn--exmple-cua.org/%C3%BC"


def test_offsets_of_a_str_are_code_points():
    text = "é😀 http://h.org/é?😀 <URL:http://h.org/\U0001f600a> e\u0301 http://h.org/b"
    for match in urlgrep.find_iter(text, iri="all"):
        assert "".join(text[start:end] for start, end in match.pieces) == match.url
    starts = [match.start for match in urlgrep.find_iter(text, iri="all")]
    assert starts == [3, 20, 45]


def test_offsets_of_bytes_are_bytes():
    text = "é😀 http://h.org/é x".encode()
    (match,) = urlgrep.find_iter(text)
    assert (match.start, text[match.start : match.end]) == (7, "http://h.org/é".encode())


def test_both_readings_of_a_hyphen():
    text = "é <URL:http://h.org/foo-\n\n bar> <URL:http://h.org/foo-\nbar>"
    matches = urlgrep.find_all(text, hyphen="both")
    for match in matches:
        assert "".join(text[start:end] for start, end in match.pieces) == match.url


def test_lone_surrogates_survive():
    text = "\udcff <URL:http://h.org/\ud800>"
    (match,) = urlgrep.find_iter(text)
    assert match.url == "http://h.org/\ud800"
    assert match.url_bytes == b"http://h.org/\xed\xa0\x80"
    assert text[match.start : match.end] == "<URL:http://h.org/\ud800>"
    assert pickle.loads(pickle.dumps(match)) == match


def test_urls_that_are_not_utf8_survive():
    (match,) = urlgrep.find_iter(b"<URL:http://h.org/\xff>")
    assert match.url_bytes == b"http://h.org/\xff"
    assert match.url == "http://h.org/\udcff"
    assert match.url.encode("utf-8", "surrogateescape") == match.url_bytes


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda text: array.array("B", text)])
def test_kinds_of_bytes(kind):
    assert [match.url for match in urlgrep.find_iter(kind(b"http://h.org/"))] == ["http://h.org/"]


def test_a_mapped_file(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"http://h.org/")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert [match.url for match in urlgrep.find_iter(mapped)] == ["http://h.org/"]


def test_a_long_buffer_is_copied_in_pieces(tmp_path):
    text = bytearray(b"http://h.org/%d \n" * 400_000 % tuple(range(400_000)))
    urls = [match.url for match in urlgrep.find_iter(bytes(text))]
    path = tmp_path / "text"
    path.write_bytes(text)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        tracemalloc.start()
        found = sum(1 for _ in urlgrep.find_iter(mapped))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (found, most < 2 << 20 < len(text) // 3) == (400_000, True)
        assert [match.url for match in urlgrep.find_all(mapped)] == urls
    for buffer in text, memoryview(text), array.array("I", text[: len(text) // 4 * 4]):
        places = [(match.url, match.start, match.end) for match in urlgrep.find_iter(buffer)]
        assert places[:-1] == [(match.url, match.start, match.end) for match in urlgrep.find_iter(bytes(text))][: len(places) - 1]
    # With gaps, it is copied at once.
    gaps = bytes(byte for byte in b"http://h.org/a " * 100_000 for _ in range(2))
    assert len(urlgrep.find_all(memoryview(gaps)[::2])) == 100_000


def test_a_buffer_that_changes_meanwhile():
    text = bytearray(b"http://h.org/a  \n" * 200_000)
    matches = urlgrep.find_iter(text)
    assert next(matches).url == "http://h.org/a"
    text[-17:-1] = b"http://h.org/b  "
    with pytest.raises(BufferError):
        text.clear()
    assert [match.url for match in matches][-1] == "http://h.org/b"
    # The end of the iterator releases it, and so does its deletion.
    text.append(10)
    matches = urlgrep.find_iter(text)
    next(matches)
    del matches
    text.append(10)


def test_equality_and_hash():
    one, other = urlgrep.find_all("http://h.org/ http://h.org/")
    (again, _) = urlgrep.find_all("http://h.org/ http://h.org/")
    assert one == again and hash(one) == hash(again) and one is not again
    assert one != other and one != "http://h.org/"
    assert len({one, other, again}) == 2
    (of_bytes, _) = urlgrep.find_all(b"http://h.org/ http://h.org/")
    assert one != of_bytes


def test_matches_have_no_order():
    matches = urlgrep.find_all("http://h.org/b http://h.org/a")
    assert [match.url for match in sorted(matches, key=lambda match: match.url)] == ["http://h.org/a", "http://h.org/b"]
    assert sorted(matches[::-1], key=lambda match: match.start) == matches
    with pytest.raises(TypeError, match="not supported between instances of 'urlgrep.Match' and 'urlgrep.Match'"):
        sorted(matches)
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(TypeError):
            compare(*matches)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    for match in urlgrep.find_iter(WRAPPED, line_numbers=True):
        again = pickle.loads(pickle.dumps(match, protocol))
        assert again == match and hash(again) == hash(match)
        assert again.as_dict() == match.as_dict() and repr(again) == repr(match)
        assert copy.deepcopy(match) == match


def test_a_match_is_immutable():
    (match,) = urlgrep.find_iter("http://h.org/")
    with pytest.raises(AttributeError):
        match.url = "x"


def test_options():
    def urls(text, **options):
        return [match.url for match in urlgrep.find_iter(text, **options)]

    assert urls("<URL:http://h.org/foo-\nbar>", hyphen="drop") == ["http://h.org/foobar"]
    assert urls("<URL:http://h.org/foo-\nbar>", join="none") == ["http://h.org/foo-"]
    assert urls("http://h.org/ ftp://h.org/", schemes="ftp") == ["ftp://h.org/"]
    assert urls("http://h.org/ ftp://h.org/", schemes=["ftp", "http"]) == ["http://h.org/", "ftp://h.org/"]
    assert urls("http://h.org/ http://h.org/~me/", grade="rfc1738") == ["http://h.org/"]
    assert urls("www.h.org me@h.org", schemeless="hosts") == ["www.h.org"]
    assert urls("spotify:track:4uLU6h", scheme_add="spotify") == ["spotify:track:4uLU6h"]
    assert urls("http://h.org/a,Template,3", delimited_rows=True) == ["http://h.org/a"]
    assert urls("see https://h.org/on\ne/two and", join="likely", width=20) == ["https://h.org/one/two"]
    assert urls("www.h.org me@h.org", schemeless="emails") == ["me@h.org"]
    assert urls("http://h.org/é", iri="ascii") == ["http://h.org/"]
    assert urls("http://h.org/" + "a" * 100, max_len=50) == []
    assert urls("http://h.org/", schemes=[]) == []
    # A limit that no machine has.
    assert urls("http://h.org/", max_len=1 << 70) == ["http://h.org/"]
    assert urls("http://h.org/", explain=True) == ["http://h.org/"]
    match = next(urlgrep.find_iter("http://h.org/", dialect="draft"))
    assert match.grade == "draft1994"


def test_every_option_is_set_by_its_type():
    values = {bool: True, int: 80}
    texts = {"join": "likely", "hyphen": "both", "grade": "rfc1738", "dialect": "draft", "schemes": "http", "scheme_add": "x", "iri": "all", "schemeless": "all-domains"}
    kinds = _urlgrep._kinds()
    assert len(kinds) >= 15
    for name, kind in kinds.items():
        assert urlgrep.Finder(**{name: values.get(kind) or texts[name]}) != urlgrep.Finder()
        assert f"\n{name} (" in urlgrep.find_iter.__doc__
        with pytest.raises(TypeError, match=f'option "{name}": expected'):
            urlgrep.Finder(**{name: None})


def test_domains():
    matches = urlgrep.find_all("see example.org/a", schemeless="domains")
    assert [(match.url, match.registered_domain) for match in matches] == [("example.org/a", "example.org")]


def test_parts_of_urls():
    text = "http://a.h.co.uk:80/b%20c?d=e?f#g http://192.0.2.1 me@h.org <http://h.org/?>"
    matches = urlgrep.find_all(text, schemeless="emails")
    assert [(match.url_path, match.query, match.public_suffix) for match in matches] == [
        ("/b%20c", "d=e?f", "co.uk"),
        (None, None, None),
        ("me@h.org", None, "org"),
        ("/", "", "org"),
    ]
    assert pickle.loads(pickle.dumps(matches[0])).query == "d=e?f"


def test_why_a_url_ends():
    match = next(urlgrep.find_iter("(see http://h.org/.)", explain=True))
    assert match.ending == {"stop": "\")\", an unmatched closing bracket", "trimmed": 1}
    assert next(urlgrep.find_iter("(see http://h.org/.)")).ending is None


def test_a_link_that_shows_another_host(tmp_path):
    page = tmp_path / "a.html"
    page.write_text('<a href="http://evil.example.net/">www.bank.com</a>')
    assert [match.warnings for match in urlgrep.open(page)] == [("text_host",)]


def test_a_finder():
    finder = urlgrep.Finder(schemes="ftp", hyphen="drop")
    assert repr(finder) == "urlgrep.Finder(schemes='ftp', hyphen='drop')"
    for one in (finder, pickle.loads(pickle.dumps(finder))):
        assert [match.url for match in one.find_iter("http://h.org/ ftp://h.org/")] == ["ftp://h.org/"]
        assert [match.url for match in one.find_all(b"http://h.org/ ftp://h.org/")] == ["ftp://h.org/"]


@pytest.mark.parametrize("text", [None, 5, ["http://h.org/"], object()])
def test_a_text_of_the_wrong_type(text):
    with pytest.raises(TypeError, match=f"expected str or bytes, found {type(text).__name__}"):
        urlgrep.find_iter(text)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"jion": "none"}, TypeError, 'unknown option "jion"'),
        ({"join": 1}, TypeError, 'option "join": expected a str, found int'),
        ({"join": "all"}, ValueError, 'option "join": expected one of "none", "delimited", "likely", found "all"'),
        ({"refang": "yes"}, TypeError, 'option "refang": expected a bool, found str'),
        ({"schemeless": "host"}, ValueError, 'option "schemeless": expected some of "hosts", "emails", "ips", "domains", "all-domains", found "host"'),
        ({"hosts": True}, TypeError, 'the option "hosts" is now called "schemeless"'),
        ({"width": "80"}, TypeError, 'option "width": expected an int'),
        ({"width": -1}, ValueError, 'option "width": expected a number of at least 1 .columns., found "-1"'),
        ({"scheme_add": "9p"}, ValueError, 'found "9p"'),
        ({"max_len": -1}, ValueError, 'option "max_len": expected a number of at least 16 .bytes., found "-1"'),
        ({"max_len": 1}, ValueError, 'option "max_len": expected a number of at least 16 .bytes., found "1"'),
        ({"width": 0}, ValueError, 'option "width": expected a number of at least 1 .columns., found "0"'),
        ({"schemes": "a b"}, ValueError, "expected a scheme"),
        ({"schemes": ""}, ValueError, 'option "schemes": expected names, found ""'),
        ({"scheme_add": ["a,b"]}, ValueError, 'option "scheme_add": expected names, found "a,b"'),
        ({"schemes": 1}, TypeError, 'option "schemes": expected a str or a list of str'),
        ({"grade": "draft1994"}, ValueError, "expected a grade of RFC 1738"),
        ({"attachments": True}, TypeError, "it is for archives"),
    ],
)
def test_wrong_options(options, error, message):
    with pytest.raises(error, match=message):
        urlgrep.find_iter("", **options)


def test_a_long_text_is_searched_in_pieces():
    piece = "é" + "x" * 999 + " <URL:http://h.org/foo-\n" + "bar> " + "y" * 321 + "\n"
    text = piece * 3000
    matches = urlgrep.find_all(text)
    assert len(matches) == 3000
    (first,) = urlgrep.find_all(piece)
    for number, match in enumerate(matches):
        assert (match.start, match.end) == (first.start + number * len(piece), first.end + number * len(piece))
    iterator = urlgrep.find_iter(text)
    assert next(iterator) == first


def test_other_threads_run_meanwhile():
    text = b"x" * 200_000_000
    ticks = []

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    for _ in range(3):
        assert urlgrep.find_all(text) == []
    done.set()
    thread.join()
    gaps = [after - before for before, after in zip(ticks, ticks[1:])]
    assert max(gaps) < 1


def test_the_iterator_ends():
    iterator = urlgrep.find_iter("http://h.org/")
    assert len(list(iterator)) == 1
    assert list(iterator) == []


def test_matches_at_an_offset():
    text = "é <http://h.org/é\n a> and http://h.org/b"
    assert [m and m.url for m in (urlgrep.find_covering(text, at) for at in (1, 2, 17, 20, 21))] == [None] + ["http://h.org/éa"] * 3 + [None]
    match = urlgrep.find_covering(text, 28)
    assert (match.url, match.start, match.end) == ("http://h.org/b", 26, 40)
    assert (urlgrep.match_at(text, 2).pieces, urlgrep.match_at(text, 3).url) == (((3, 17), (19, 20)), "http://h.org/é")
    assert urlgrep.match_at(text, 26).start == 26 and urlgrep.match_at(text, 25) is None
    finder = urlgrep.Finder(schemeless="hosts")
    assert finder.match_at(b"\xff www.h.org", 2).end == 11 and finder.find_covering(bytearray(b"www.h.org"), 8).url == "www.h.org"
    for search in (urlgrep.find_covering, urlgrep.match_at, finder.find_covering, finder.match_at):
        assert search("", 0) is None and search("http://h.org/", 99) is None and search("é", 1) is None
        with pytest.raises(OverflowError):
            search("x", -1)
        with pytest.raises(TypeError):
            search(1, 1)


def test_is_match():
    assert urlgrep.is_match("see http://h.org/") and urlgrep.is_match(b"see <URL:ftp://h.org/>")
    assert not urlgrep.is_match("see www.h.org") and urlgrep.is_match("see www.h.org", schemeless="hosts")
    assert not urlgrep.is_match("") and not urlgrep.is_match("\ud800")
    finder = urlgrep.Finder(schemes="ftp")
    assert finder.is_match("ftp://h.org/") and not finder.is_match("http://h.org/")
    # Long texts are searched in pieces.
    assert urlgrep.is_match("x " * 2_000_000 + "http://h.org/") and not urlgrep.is_match("x " * 2_000_000)
    with pytest.raises(TypeError, match="expected str or bytes, found int"):
        urlgrep.is_match(1)


def test_finders_are_equal():
    one = urlgrep.Finder(schemes=["http", "ftp"], schemeless="hosts")
    other = urlgrep.Finder(schemeless="hosts", schemes="http,ftp")
    assert one == other and hash(one) == hash(other) and len({one, other, urlgrep.Finder()}) == 2
    assert one != urlgrep.Finder(schemeless="hosts") and one != "x" and urlgrep.Finder() == urlgrep.Finder()
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_match_in_a_notebook():
    (match,) = urlgrep.find_all('<URL:http://h.org/"><script>alert(1)</script>\u202egro.lave/\u200b\x1b[31m>')[:1]
    (other,) = urlgrep.find_all("<URL:http://h.org/&'é\u200b\u202eb>")
    for found in (match, other):
        html = found._repr_html_()
        assert html.startswith("<table><tr><th>url</th><td>http://h.org/")
        inside = html.replace("<table>", "").replace("</table>", "")
        for tag in ("tr", "th", "td"):
            inside = inside.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
        assert "<" not in inside and ">" not in inside and '"' not in inside and "'" not in inside
        assert not {"\u202e", "\u200b", "\x1b"} & set(inside)
    assert "<td>http://h.org/&amp;&#x27;é</td>" in other._repr_html_()
    shown = _html._shown("<b a='\"'>é\u200b\u202e\x1b\ud800")
    assert shown == "&lt;b a=&#x27;&quot;&#x27;&gt;é\\u{200b}\\u{202e}\\u{1b}\\u{d800}"
