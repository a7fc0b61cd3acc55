// The links that pass the filters, and their numbers.

const tally = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);
const sum = (numbers) => [...numbers].reduce((all, n) => all + n, 0);
const percent = (n, all) => `${((100 * n) / (all || 1)).toFixed(1)} %`;

// Values with their counts, the most frequent first, then by name.
function ranked(counts) {
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

// Whether all words are in a link: in its URL, message, path or excerpt.
function wordTest(words) {
  const escaped = words.split(/\s+/).filter(Boolean).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const tests = escaped.map((word) => new RegExp(word, "i"));
  return ({ url, text, excerpt, file, message }) =>
    tests.every((test) => {
      const has = (field) => field && test.test(field);
      const { subject, from, id, date } = message;
      return [url, subject, from, file, text, id, date].some(has) || excerpt?.some(has);
    });
}

// Whether a value of a link is the one that was chosen, or a part of it.
function passes(kind, link) {
  if (kind === "role") return state.roles.has(link.role);
  const wanted = state.filters.get(kind);
  const isWanted = (value) => value === wanted || (kind === "time" && isDay(wanted) && value.startsWith(`${wanted}-`));
  return wanted === undefined || valuesOf(kind, link).some(isWanted);
}

const isOwn = (kind, other) => other === kind || other === TWINS[kind];

// The links that pass the filters, and their number for each value of each kind. The
// filter of a kind does not apply to the numbers of that kind, so that its other
// values can still be seen and chosen. Time and what divides its columns share the charts.
function choose({ division }) {
  const counts = Object.fromEntries(KEYS.map((key) => [key, new Map()]));
  const picture = new Map();
  const list = [];
  const hasWords = wordTest(state.words);
  const used = KEYS.filter((key) => key === "role" || state.filters.has(key));
  const divided = KINDS[division.kind];
  for (const link of links) {
    if (!hasWords(link)) continue;
    const against = used.filter((key) => !passes(key, link));
    if (against.length === 0) list.push(link);
    for (const key of KEYS) {
      if (against.every((other) => isOwn(key, other))) valuesOf(key, link).forEach((value) => tally(counts[key], value));
    }
    if (against.every((other) => other === "time" || isOwn(division.kind, other))) {
      const { day } = link.message;
      if (!picture.has(day)) picture.set(day, new Map());
      tally(picture.get(day), divided(link));
    }
  }
  return { list, counts, picture };
}

// Compares two values. A missing value is last.
function compare(a, b, sign) {
  const missing = (value) => value === undefined || value === null || Number.isNaN(value);
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  return a < b ? -sign : a > b ? sign : 0;
}

// The facts that decide which charts are drawn: the values of each kind with few values, and whether
// every other kind has more than one value. They are taken from all links with a shown role, regardless
// of the filters, so that no chart appears or disappears when a filter is set.
function lookOver() {
  const shown = links.filter((link) => state.roles.has(link.role));
  const values = (kind) => new Set(shown.flatMap((link) => valuesOf(kind, link)));
  const isVaried = (kind) => shown.some((link) => KINDS[kind](link) !== KINDS[kind](shown[0]));
  const urls = new Set();
  const isRepeated = ({ url }) => urls.has(url) || !urls.add(url);
  return {
    grades: values("grade"),
    joins: values("join"),
    warnings: values("warning"),
    hasHosts: isVaried("host"),
    hasSenders: isVaried("from"),
    hasRepeated: shown.some(isRepeated),
    division: divide(shown),
  };
}

function sortLinks(list) {
  const value = ORDERS[state.sort][1];
  const sign = state.down ? -1 : 1;
  list.sort((a, b) => compare(value(a), value(b), sign) || a.order - b.order);
}

// The rows of the table: the links of each URL, at the place of the first, or each link.
function fold(list) {
  if (state.each) return list.map((link) => [link]);
  const rows = new Map();
  for (const link of list) {
    const row = rows.get(link.url);
    if (row === undefined) rows.set(link.url, [link]);
    else row.push(link);
  }
  return [...rows.values()];
}
