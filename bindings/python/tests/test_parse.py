"""parse, parse_rfc1738 and their classes."""

import pickle

import pytest
import urlgrep

CASES = [
    ("ftp://me:pw@h.org/pub/a%20b;type=i", "Ftp", {"user": "me", "password": "pw", "port": 21, "typecode": "i"}),
    ("HTTP://h.org:8080/a/b?c", "Http", {"scheme": "http", "port": 8080, "segments": ("a", "b"), "search": "c"}),
    ("http://h.org", "Http", {"path": None, "segments": (), "search": None, "port": 80}),
    ("gopher://h.org/0x", "Gopher", {"item_type": "0", "selector": "x", "port": 70}),
    ("gopher://h.org", "Gopher", {"item_type": "1", "selector": None}),
    ("mailto:me%26you@h.org", "Mailto", {"address": "me&you@h.org", "local_part": "me%26you", "domain": "h.org"}),
    ("news:*", "News", {"group": None, "article": None}),
    ("news:alt.test", "News", {"group": "alt.test", "article": None}),
    ("news:x@h.org", "News", {"group": None, "article": "x@h.org"}),
    ("nntp://h.org/alt.test/7", "Nntp", {"group": "alt.test", "article": "7", "port": 119}),
    ("telnet://me@h.org:24/", "Telnet", {"user": "me", "port": 24}),
    ("wais://h.org/db?q", "Wais", {"database": "db", "search": "q", "port": 210}),
    ("file:///etc/motd", "File", {"path": "etc/motd", "segments": ("etc", "motd")}),
    ("prospero://h.org/o;a=b", "Prospero", {"object_name": "o", "fields": (("a", "b"),), "port": 1525}),
    ("https://h.org/a", "Other", {"host": "h.org", "port": 443}),
    ("urn:isbn:1", "Other", {"schemepart": "isbn:1", "host": None, "port": None}),
]


@pytest.mark.parametrize(("url", "kind", "parts"), CASES)
def test_parts(url, kind, parts):
    parsed = urlgrep.parse_rfc1738(url)
    assert type(parsed) is getattr(urlgrep, kind)
    assert {name: getattr(parsed, name) for name in parts} == parts
    assert str(parsed) == parsed.url == url
    assert urlgrep.parse_rfc1738(url.encode()) == parsed
    assert pickle.loads(pickle.dumps(parsed)) == parsed


def test_an_error():
    with pytest.raises(urlgrep.ParseError) as caught:
        urlgrep.parse_rfc1738("http://h.org/~me/")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert isinstance(error, ValueError)
        assert (error.production, error.section, error.offset) == ("hsegment", "RFC 1738 section 3.3", 13)
        assert str(error).startswith('"~" is not allowed at offset 13')


# RFC 3986, 1.1.2 and 3.2: the host is empty without a name, and missing without an authority.
@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("HTTP://me@[2001:db8::7]:80/~me/?q#top", ("http", "me", "[2001:db8::7]", "80", "/~me/", "q", "top")),
        ("file:///etc/motd", ("file", None, "", None, "/etc/motd", None, None)),
        ("tel:+1-816-555-1212", ("tel", None, None, None, "+1-816-555-1212", None, None)),
        ("http://h.org:?#", ("http", None, "h.org", "", "", "", "")),
    ],
)
def test_the_generic_syntax(url, parts):
    uri = urlgrep.parse(url)
    assert (uri.scheme, uri.userinfo, uri.host, uri.port, uri.path, uri.query, uri.fragment) == parts
    assert str(uri) == uri.url == url
    assert urlgrep.parse(url.encode()) == uri == pickle.loads(pickle.dumps(uri))
    with pytest.raises(urlgrep.ParseError) as caught:
        urlgrep.parse("http://h.org/{x}")
    assert (caught.value.production, caught.value.offset) == ("pchar", 13)


@pytest.mark.parametrize("url", ["http://h.org/é", "http://\ud800", b"http://\xff", ""])
def test_what_no_grammar_accepts(url):
    for parse in (urlgrep.parse, urlgrep.parse_rfc1738):
        with pytest.raises(urlgrep.ParseError):
            parse(url)


def test_the_wrong_type():
    with pytest.raises(TypeError, match="expected str or bytes, found int"):
        urlgrep.parse_rfc1738(5)
