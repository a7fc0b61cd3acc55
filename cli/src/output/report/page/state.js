// What the user chose. It is in the fragment of the page's address, so that Back works and
// a view can be kept and shared.

// The kinds of values that links are filtered by, besides words. A time is a day, or the
// start of one: a year or a month.
const KINDS = {
  time: (link) => link.message.day,
  scheme: (link) => link.scheme,
  host: (link) => link.host,
  grade: (link) => link.grade,
  join: (link) => link.join,
};
const KEYS = Object.keys(KINDS);

// What links are sorted by, each with its name.
const ORDERS = {
  place: ["Place", (link) => link.order],
  url: ["URL", (link) => link.url],
  host: ["Host", (link) => link.host],
  date: ["Date", (link) => link.message.time],
  message: ["Message", (link) => link.message.subject],
  form: ["Form", (link) => link.form],
  grade: ["Grade", (link) => link.grade],
  join: ["Join", (link) => link.join],
};

// The words are those of the search field. `page` and `hostpage` start at 1. `row` is the
// number of the link that is open.
const state = { words: "", filters: new Map(), sort: "place", down: false, page: 1, row: null, hosts: "", hostpage: 1 };

// Reads the state from the fragment. What it does not know has no effect: anyone can write one.
function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const count = (name) => Math.max(1, Number.parseInt(given.get(name), 10) || 1);
  const row = Number.parseInt(given.get("row"), 10);
  Object.assign(state, {
    words: given.get("words") ?? "",
    filters: new Map([...given].filter(([kind]) => KEYS.includes(kind))),
    sort: Object.hasOwn(ORDERS, given.get("sort")) ? given.get("sort") : "place",
    down: given.has("down"),
    page: count("page"),
    row: row >= 1 && row <= links.length ? row : null,
    hosts: given.get("hosts") ?? "",
    hostpage: count("hostpage"),
  });
}

// The fragment. Only what is not as at the start is in it.
function fragment() {
  const entries = [...state.filters];
  if (state.words) entries.unshift(["words", state.words]);
  if (state.sort !== "place") entries.push(["sort", state.sort]);
  if (state.down) entries.push(["down", ""]);
  if (state.page > 1) entries.push(["page", state.page]);
  if (state.row !== null) entries.push(["row", state.row]);
  if (state.hosts) entries.push(["hosts", state.hosts]);
  if (state.hostpage > 1) entries.push(["hostpage", state.hostpage]);
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
  change({ filters, page: 1, row: null });
}

function clearFilters() {
  change({ words: "", filters: new Map(), page: 1, row: null });
}

// Esc takes back one step: the open row, the words, or the last filter.
function stepBack() {
  const last = [...state.filters.keys()].at(-1);
  if (state.row !== null) closeRow();
  else if (state.words) change({ words: "", page: 1 });
  else if (last !== undefined) toggle(last, state.filters.get(last));
}
