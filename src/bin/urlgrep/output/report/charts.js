// The charts: columns of years, and bars.

// The colours of schemes, from the foot of a column up: the oldest schemes first.
const COLOURED = ["gopher", "wais", "telnet", "ftp", "news", "mailto", "https", "http"];
const SPARE = ["more1", "more2"];
const OTHER = "other";

// The schemes that are drawn, in the order of the columns, each with its colour.
// All but the most frequent are drawn as one.
const SCHEMES = (() => {
  const counts = new Map();
  for (const link of links) tally(counts, link.scheme);
  const spare = [...SPARE];
  const colours = new Map();
  for (const [scheme] of ranked(counts)) {
    if (COLOURED.includes(scheme)) colours.set(scheme, scheme);
    else if (spare.length > 0) colours.set(scheme, spare.shift());
  }
  const place = (scheme) => (COLOURED.includes(scheme) ? COLOURED.indexOf(scheme) : 5.5);
  const schemes = [...colours].sort(([a], [b]) => place(a) - place(b));
  return new Map(counts.size > colours.size ? [[OTHER, OTHER], ...schemes] : schemes);
})();
const colourOf = (scheme) => `var(--${SCHEMES.get(scheme) ?? OTHER})`;

function makeSvg(name, attributes, ...content) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

// The years that have columns: each from the first to the last.
const YEARS = (() => {
  const years = [...new Set(links.map(KINDS.year))].filter(isYear).map(Number);
  const [first, last] = years.reduce(([a, b], year) => [Math.min(a, year), Math.max(b, year)], [Infinity, -Infinity]);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => String(first + n));
})();

// The links of a year by the schemes that are drawn.
function partsOf(counts) {
  const parts = new Map();
  for (const scheme of SCHEMES.keys()) parts.set(scheme, 0);
  for (const [scheme, n] of counts ?? []) {
    const drawn = SCHEMES.has(scheme) ? scheme : OTHER;
    parts.set(drawn, parts.get(drawn) + n);
  }
  return parts;
}

const sum = (numbers) => [...numbers].reduce((all, n) => all + n, 0);
const percent = (n, all) => `${((100 * n) / (all || 1)).toFixed(1)} %`;

// The text about a year, in its tooltip.
function describe(year, parts) {
  const all = sum(parts.values());
  const rows = [...parts].filter(([, n]) => n > 0).reverse();
  return [`${year}: ${number(all)} links`, ...rows.map(([scheme, n]) => `${scheme} ${number(n)} (${percent(n, all)})`)];
}

// The horizontal lines of a chart: at 1, 2 or 5 times a power of ten.
function rulesUpTo(most) {
  const raw = most / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, power * [1, 2, 5, 10].find((factor) => factor * power >= raw));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
}

// The heights: above the charts, for the names of the years, between the two charts.
const HEAD = 8;
const FOOT = 22;
const BETWEEN = 18;

// With fewer links than this, a share means little.
const FEW = 20;

// The two charts: the number of links, and the share of each scheme.
function panelsIn(height, most) {
  const room = height - HEAD - FOOT - BETWEEN;
  const middle = HEAD + room * 0.42;
  const within = (top, bottom, most) => ({ most, y: (n) => bottom - (n / most) * (bottom - top) });
  const numbers = { isShare: false, value: (n) => n, name: number };
  const shares = { isShare: true, value: (n, all) => (100 * n) / all, name: (n) => `${n} %` };
  return [
    { ...within(HEAD, middle, most), ...numbers },
    { ...within(middle + BETWEEN, height - FOOT, 100), ...shares },
  ];
}

function drawYears(picture) {
  const box = $("years");
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.year : undefined;
  const [width, height] = [Math.max(box.clientWidth, 200), Math.max(box.clientHeight, 200)];
  const years = YEARS.map((year) => [year, partsOf(picture.get(year))]);
  const panels = panelsIn(height, Math.max(1, ...years.map(([, parts]) => sum(parts.values()))));
  const label = "Links by year and scheme";
  const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label });
  const left = drawRules(svg, panels, width);
  const step = (width - left) / Math.max(1, years.length);
  const every = Math.ceil(38 / step);
  const few = years.filter(([, parts]) => isFew(sum(parts.values())));
  $("few").hidden = few.length === 0;
  $("few").textContent = `Pale shares are of fewer than ${FEW} links.`;
  years.forEach(([year, parts], n) => {
    const isNamed = (years.length - 1 - n) % every === 0;
    svg.append(column(year, parts, { x: left + n * step, step, height, panels, isNamed }));
  });
  box.replaceChildren(svg);
  if (focused !== undefined) svg.querySelector(`[data-year="${focused}"]`)?.focus();
}

// Draws the horizontal lines. Returns where the columns start.
function drawRules(svg, panels, width) {
  const rules = panels.flatMap((panel) => rulesUpTo(panel.most).map((n) => [panel.y(n), panel.name(n)]));
  const left = 14 + 7 * Math.max(...rules.map(([, name]) => name.length));
  for (const [y, name] of rules) {
    svg.append(
      makeSvg("line", { class: "rule", x1: left, x2: width, y1: y, y2: y }),
      makeSvg("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, name),
    );
  }
  return left;
}

// The column of a year.
function column(year, parts, { x, step, height, panels, isNamed }) {
  const isChosen = chosen.kinds.get("year") === year;
  const control = { tabindex: 0, role: "button", "aria-pressed": isChosen };
  const group = makeSvg("g", { class: "column", "data-year": year, ...control });
  if (chosen.kinds.has("year") && !isChosen) group.classList.add("unchosen");
  for (const panel of panels) group.append(...stack(parts, panel, { x: x + step * 0.1, width: step * 0.8 }));
  group.append(makeSvg("rect", { class: "hit", x, width: step, y: HEAD, height: height - FOOT - HEAD }));
  if (isNamed) group.append(makeSvg("text", { x: x + step / 2, y: height - 5, "text-anchor": "middle" }, year));
  const text = describe(year, parts);
  group.setAttribute("aria-label", text.join(", "));
  listen(group, year, text.join("\n"));
  return group;
}

const isFew = (all) => all > 0 && all < FEW;

// The parts of a column, stacked.
function stack(parts, { value, y, isShare }, across) {
  const all = sum(parts.values());
  let below = 0;
  return [...parts].filter(([, n]) => n > 0).map(([scheme, n]) => {
    const [foot, top] = [y(below), y(below + value(n, all))];
    below += value(n, all);
    const isFaded = chosen.kinds.has("scheme") && chosen.kinds.get("scheme") !== scheme;
    const look = { style: `fill: ${colourOf(scheme)}`, opacity: isFaded ? 0.25 : isShare && isFew(all) ? 0.45 : 1 };
    return makeSvg("rect", { class: "part", "data-scheme": scheme, ...across, y: top, height: foot - top, ...look });
  });
}

// A column can be pointed at, clicked, and reached with the keyboard.
function listen(group, year, text) {
  group.addEventListener("click", () => toggle("year", year));
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle("year", year);
  });
  group.addEventListener("pointermove", (event) => showTip(text, event.clientX, event.clientY));
  group.addEventListener("focus", () => {
    const box = group.getBoundingClientRect();
    showTip(text, box.right, box.top);
  });
  for (const away of ["pointerleave", "blur"]) group.addEventListener(away, () => ($("tip").hidden = true));
}

function showTip(text, x, y) {
  const tip = $("tip");
  tip.textContent = text;
  tip.hidden = false;
  const room = document.documentElement;
  const left = x + 14 + tip.offsetWidth > room.clientWidth ? x - 14 - tip.offsetWidth : x + 14;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 12, room.clientHeight - tip.offsetHeight - 4))}px`;
}

// A button that chooses a value.
function chooser(kind, value, ...content) {
  const button = make("button", { type: "button", "aria-pressed": chosen.kinds.get(kind) === value }, ...content);
  button.addEventListener("click", () => toggle(kind, value));
  return button;
}

function drawLegend(counts) {
  const all = ranked(counts);
  const drawn = all.filter(([scheme]) => SCHEMES.has(scheme));
  const rest = all.filter(([scheme]) => !SCHEMES.has(scheme));
  const items = [...drawn, ...rest.slice(0, 12)].map(([scheme, n]) => {
    const colour = make("i", { style: `background: ${colourOf(scheme)}` });
    return make("li", {}, chooser("scheme", scheme, colour, scheme, make("span", {}, number(n))));
  });
  if (rest.length > 12) items.push(make("li", { class: "note" }, `and ${number(rest.length - 12)} more`));
  $("schemes").replaceChildren(...items);
}

// Bars for values and counts; `names` has other names for values.
function drawBars(id, kind, values, names = {}) {
  const most = Math.max(1, ...values.map(([, n]) => n));
  const all = sum(values.map(([, n]) => n));
  const bars = values.map(([value, n]) => {
    const bar = make("i", { style: `width: ${(100 * n) / most}%` });
    const share = kind === "host" ? number(n) : `${number(n)} \u00b7 ${percent(n, all)}`;
    return make("li", {}, chooser(kind, value, bar, make("span", {}, nameOf(names, value)), make("span", {}, share)));
  });
  $(id).replaceChildren(...bars);
}

const UNDATED = {
  [NO_YEAR]: "are in no message with a date",
  [ODD_YEAR]: `are in a message dated before ${FIRST_YEAR} or in the future`,
};

// The links that are not in the chart of the years.
function drawUndated(picture) {
  const counts = Object.keys(UNDATED).map((year) => [year, sum((picture.get(year) ?? new Map()).values())]);
  const items = counts.filter(([, n]) => n > 0).map(([year, n]) => {
    return make("li", {}, chooser("year", year, number(n)), ` ${UNDATED[year]}`);
  });
  $("undated").hidden = items.length === 0;
  $("undated-links").replaceChildren(...items);
}

const HOSTS = 12;
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
  guess: "rejoined by evidence",
};

// The draft's grade is shown if there is one: it takes --dialect draft.
function gradeCounts(counts) {
  const grades = Object.keys(GRADES).map((grade) => [grade, counts.get(grade) ?? 0]);
  return grades.filter(([grade, n]) => n > 0 || grade !== "draft1994");
}

function drawCharts({ counts, picture }) {
  drawYears(picture);
  drawLegend(counts.scheme);
  drawUndated(picture);
  const hosts = ranked(counts.host).filter(([host]) => host !== null);
  drawBars("hosts", "host", hosts.slice(0, HOSTS));
  $("more-hosts").textContent = hosts.length > HOSTS ? `and ${number(hosts.length - HOSTS)} more` : "";
  drawBars("grades", "grade", gradeCounts(counts.grade), GRADES);
  drawBars("joins", "join", Object.keys(JOINS).map((join) => [join, counts.join.get(join) ?? 0]), JOINS);
  const all = sum(counts.join.values());
  const rejoined = all - (counts.join.get("none") ?? 0);
  const share = make("b", {}, percent(rejoined, all));
  $("rejoined").replaceChildren(share, ` of the links were broken over lines: ${number(rejoined)}.`);
}
