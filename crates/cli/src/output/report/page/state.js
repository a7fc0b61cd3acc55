// What the user chose. It is in the fragment of the page's address, so that Back works and
// a view can be kept and shared.

// The kinds of values that links are filtered by, besides words. A link can have several warnings. A time is a day, or the
// start of one: a year or a month.
const KINDS = {
  time: (link) => link.message.day,
  scheme: (link) => link.scheme,
  domain: (link) => link.domain,
  host: (link) => link.host,
  url: (link) => link.url,
  from: (link) => link.message.sender,
  grade: (link) => link.grade,
  join: (link) => link.join,
  role: (link) => link.role,
  warning: (link) => link.warnings,
};
const KEYS = Object.keys(KINDS);

// The values of a link.
const valuesOf = (kind, link) => [KINDS[kind](link)].flat();

// A host and the domain that it is in are chosen together: neither narrows the other.
const TWINS = { domain: "host", host: "domain" };

// What a URL is to a reader. Several roles can be shown, of the other kinds one value.
const ROLES = { text: "Text", link: "Links", image: "Pictures", tracker: "Trackers", form_action: "Forms", resource: "Resources", header: "Headers" };

// The roles that occur, and those that are shown at the start: what a person can read or click.
const OCCURRING = Object.keys(ROLES).filter((role) => links.some((link) => link.role === role));
const FIRST_ROLES = (() => {
  const first = OCCURRING.filter((role) => role === "text" || role === "link");
  return first.length > 0 ? first : OCCURRING;
})();

// What links are sorted by, each with its name.
const ORDERS = {
  place: ["Place", (link) => link.order],
  url: ["URL", (link) => link.url],
  times: ["Times", (link) => drawn.counts.url.get(link.url)],
  host: ["Host", (link) => link.host],
  date: ["Date", (link) => link.message.time],
  message: ["Message", (link) => link.message.subject],
  from: ["Sender", (link) => link.message.sender],
  form: ["Form", (link) => link.form],
  grade: ["Grade", (link) => link.grade],
  join: ["Join", (link) => link.join],
  warning: ["Warnings", (link) => link.warnings.length || null],
};

// The newest, the most frequent and those to be checked are wanted first.
const startsDown = (key) => ["date", "times", "warning"].includes(key);

// The order at the start: the newest first, if there are dates.
const FIRST_SORT = links.some(({ message }) => isDay(message.day)) ? "date" : "place";

// The pages of lists, which start at 1.
const PAGES = ["page", "hostpage", "urlpage", "frompage"];

// The words are those of the search field. `row` is the number of the link that is open. Links
// of the same URL are one row, unless `each` is set. A narrow screen hides the charts, unless
// `charts` is set.
const state = { words: "", filters: new Map(), roles: new Set(), sort: FIRST_SORT, down: startsDown(FIRST_SORT), each: false, charts: false, row: null, hosts: "" };

// Reads the state from the fragment. What it does not know has no effect: anyone can write one.
function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const pages = PAGES.map((name) => [name, Math.max(1, Number.parseInt(given.get(name), 10) || 1)]);
  const row = Number.parseInt(given.get("row"), 10);
  const isSorted = Object.hasOwn(ORDERS, given.get("sort"));
  Object.assign(state, {
    words: given.get("words") ?? "",
    filters: new Map([...given].filter(([kind]) => kind !== "role" && KEYS.includes(kind))),
    roles: new Set(given.get("role")?.split(",") ?? FIRST_ROLES),
    sort: isSorted ? given.get("sort") : FIRST_SORT,
    down: isSorted ? given.has("down") : startsDown(FIRST_SORT),
    each: given.has("each"),
    charts: given.has("charts"),
    row: row >= 1 && row <= links.length ? row : null,
    hosts: given.get("hosts") ?? "",
    ...Object.fromEntries(pages),
  });
}

// The fragment. Only what is not as at the start is in it.
function fragment() {
  const entries = [...state.filters];
  if (state.words) entries.unshift(["words", state.words]);
  const roles = OCCURRING.filter((role) => state.roles.has(role)).join();
  if (roles !== FIRST_ROLES.join()) entries.push(["role", roles]);
  const isSorted = state.sort !== FIRST_SORT || state.down !== startsDown(FIRST_SORT);
  if (isSorted) entries.push(["sort", state.sort], ...(state.down ? [["down", ""]] : []));
  for (const name of ["each", "charts"]) if (state[name]) entries.push([name, ""]);
  if (state.row !== null) entries.push(["row", state.row]);
  if (state.hosts) entries.push(["hosts", state.hosts]);
  for (const name of PAGES) if (state[name] > 1) entries.push([name, state[name]]);
  return `#${new URLSearchParams(entries)}`;
}

// What was typed and is not drawn yet.
let pending = {};

// Changes the state and draws it. While something is typed, no entry is added to the history.
function change(changes, typed = false) {
  Object.assign(state, pending, changes);
  pending = {};
  const address = fragment();
  try {
    if (typed || address === (location.hash || "#")) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  } catch {
    // A page in a frame, as of a mail reader, has no address of its own. It is drawn anyway.
  }
  draw();
}

// Sets or removes a filter. A part of a year or month gives way to the whole.
function toggle(kind, value) {
  const filters = new Map(state.filters);
  const whole = kind === "time" && isDay(value) && /-/.test(value) && value.length > UNITS[FIRST_UNIT].length;
  if (filters.get(kind) !== value) filters.set(kind, value);
  else if (whole) filters.set(kind, value.slice(0, -3));
  else filters.delete(kind);
  if (kind === "domain") filters.delete("host");
  change({ filters, page: 1, row: null });
}

// Shows or hides the links of a role.
function toggleRole(role) {
  const roles = new Set(state.roles);
  if (!roles.delete(role)) roles.add(role);
  change({ roles, page: 1, row: null });
}

function clearFilters() {
  change({ words: "", filters: new Map(), page: 1, row: null });
}

// Esc takes back one step: the open row, the words, or the last filter.
function stepBack() {
  Object.assign(state, pending);
  pending = {};
  const last = [...state.filters.keys()].at(-1);
  if (state.row !== null) closeRow();
  else if (state.words) change({ words: "", page: 1 });
  else if (last !== undefined) toggle(last, state.filters.get(last));
}
