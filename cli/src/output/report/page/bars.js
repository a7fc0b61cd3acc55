// What is chosen with buttons: schemes, hosts, grades, joins, and links without a date.

// A button that chooses a value.
function chooser(kind, value, ...content) {
  return makeButton({ "aria-pressed": state.filters.get(kind) === value }, () => toggle(kind, value), ...content);
}

// The number of schemes without a colour that are listed.
const MORE_SCHEMES = 12;

function drawLegend(counts) {
  const all = ranked(counts);
  const drawn = all.filter(([scheme]) => SCHEMES.has(scheme));
  const rest = all.filter(([scheme]) => !SCHEMES.has(scheme));
  const items = [...drawn, ...rest.slice(0, MORE_SCHEMES)].map(([scheme, n]) => {
    const colour = make("i", {});
    colour.style.background = colourOf(scheme);
    return make("li", {}, chooser("scheme", scheme, colour, scheme, " ", make("span", {}, number(n))));
  });
  if (rest.length > MORE_SCHEMES) items.push(make("li", { class: "note" }, `and ${number(rest.length - MORE_SCHEMES)} more`));
  $("schemes").replaceChildren(...items);
}

// Bars for values and counts; `names` has other names for values.
function drawBars(id, kind, values, names, most, share) {
  const bars = values.map(([value, n]) => {
    const bar = make("i", {});
    bar.style.width = `${(100 * n) / most}%`;
    bar.hidden = n === 0;
    return make("li", {}, chooser(kind, value, bar, make("span", {}, nameOf(names, value)), " ", make("span", {}, share(n))));
  });
  $(id).replaceChildren(...bars);
}

// Bars for all values of a kind that has few: those with names, and any other that occurs.
function drawFew(id, kind, counts, names) {
  const values = [...new Set([...Object.keys(names), ...counts.keys()])].map((value) => [value, counts.get(value) ?? 0]);
  const all = sum(counts.values());
  drawBars(id, kind, values, names, all || 1, (n) => `${number(n)} \u00b7 ${percent(n, all)}`);
}

// The number of hosts on a page of the list.
const HOSTS = 12;

function drawHosts(counts) {
  const all = ranked(counts).filter(([host]) => host !== null);
  const wanted = all.filter(([host]) => host.includes(state.hosts.toLowerCase()));
  const pages = Math.max(1, Math.ceil(wanted.length / HOSTS));
  const page = Math.min(state.hostpage, pages);
  const shown = wanted.slice((page - 1) * HOSTS, page * HOSTS);
  drawBars("hosts", "host", shown, {}, all[0]?.[1] ?? 1, number);
  const none = all.length === 0 ? "No link has a host." : `None of ${plural(all.length, "host")} has this in its name.`;
  const some = state.hosts ? `${number(wanted.length)} of ${plural(all.length, "host")}` : plural(all.length, "host");
  $("hosts-count").textContent = wanted.length > 0 ? some : none;
  drawPages("host-pages", page, pages, (hostpage) => change({ hostpage }));
}

// First, previous, next and last page, if there are several.
function drawPages(id, page, pages, turn) {
  const focused = $(id).contains(document.activeElement) ? document.activeElement.textContent : "";
  const button = (name, to) => {
    const button = makeButton({}, () => turn(to), name);
    button.disabled = to === page;
    return button;
  };
  const where = make("span", {}, `Page ${number(page)} of ${number(pages)}`);
  const [previous, next] = [Math.max(1, page - 1), Math.min(pages, page + 1)];
  $(id).replaceChildren(button("First", 1), button("Previous", previous), where, button("Next", next), button("Last", pages));
  $(id).hidden = pages === 1;
  if (focused) [...$(id).querySelectorAll("button:enabled")].sort((a, b) => (b.textContent === focused) - (a.textContent === focused))[0]?.focus();
}

const UNDATED = {
  [NO_MESSAGE]: "in files that are not mail or news, and so have no date",
  [NO_DATE]: "in messages that have no date, or one that cannot be read",
  [ODD_DATE]: `in messages dated before ${FIRST_YEAR}, when there were no URLs, or in the future: a clock was wrong`,
};

// The links that are in no chart of time, and why.
function drawUndated(picture) {
  const all = sum([...picture.values()].flatMap((counts) => [...counts.values()]));
  const counts = Object.keys(UNDATED).map((day) => [day, sum((picture.get(day) ?? new Map()).values())]);
  const items = counts.filter(([, n]) => n > 0).map(([day, n]) => make("li", {}, chooser("time", day, number(n)), ` ${UNDATED[day]}`));
  const n = sum(counts.map(([, n]) => n));
  $("undated").hidden = items.length === 0;
  $("undated-title").textContent =
    SPAN === undefined
      ? "No link has a date, so there is no chart of time. They are"
      : `${number(n)} of ${plural(all, "link")} are not in the chart: they have no date, or one that cannot be right. They are`;
  $("undated-links").replaceChildren(...items);
}

const GRADES = {
  draft1994: "draft1994: valid by the draft of 1994",
  rfc1738: "rfc1738: valid by RFC 1738",
  rfc3986: "rfc3986: valid by RFC 3986",
  lenient: "lenient: plausible to a reader",
};
const JOINS = {
  none: "on one line",
  delimited: "rejoined between delimiters",
  flowed: "rejoined at soft line breaks of mail",
  guess: "rejoined by --join likely",
};

function drawBarsOf({ counts, picture }) {
  drawLegend(counts.scheme);
  drawUndated(picture);
  drawHosts(counts.host);
  // The draft's grade is shown if there is one: it takes --dialect draft.
  const { draft1994, ...usual } = GRADES;
  drawFew("grades", "grade", counts.grade, counts.grade.has("draft1994") ? GRADES : usual);
  drawFew("joins", "join", counts.join, JOINS);
  const all = sum(counts.join.values());
  const rejoined = all - (counts.join.get("none") ?? 0);
  $("rejoined").replaceChildren(make("b", {}, percent(rejoined, all)), ` of the links were broken over lines: ${number(rejoined)}.`);
}
