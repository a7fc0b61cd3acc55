// The charts of time: columns of links, and of the shares of schemes, or of domains if there is
// one scheme, or of hosts if there is one domain.

// The colours of schemes, from the foot of a column up: the oldest schemes first.
const COLOURED = ["gopher", "wais", "telnet", "ftp", "news", "mailto", "https", "http"];
const SPARE = ["more1", "more2"];
const OTHER = "other";

// The colours of domains or hosts, the most frequent first.
const HOST_COLOURS = ["http", "gopher", "ftp", "news", "more1", "more2", "mailto"];

function countsOf(kind, list) {
  const counts = new Map();
  for (const link of list) tally(counts, KINDS[kind](link));
  return counts;
}

// What columns are divided by, and what is drawn of it, in the order of the columns, each with
// its colour. All but the most frequent are drawn as one.
function divide(list) {
  const schemes = countsOf("scheme", list);
  if (schemes.size > 1) return { kind: "scheme", name: "schemes", colours: schemeColours(schemes) };
  const ranks = (kind) => ranked(countsOf(kind, list)).filter(([value]) => isHost(value));
  const domains = ranks("domain");
  const kind = domains.length > 1 ? "domain" : "host";
  const values = kind === "domain" ? domains : ranks(kind);
  const drawn = values.slice(0, HOST_COLOURS.length).map(([value], n) => [value, HOST_COLOURS[n]]);
  if (drawn.length < values.length) drawn.push([OTHER, OTHER]);
  return { kind, name: `${kind}s`, colours: new Map(drawn.reverse()) };
}

function schemeColours(counts) {
  const spare = [...SPARE];
  const colours = new Map();
  for (const [scheme] of ranked(counts)) {
    if (COLOURED.includes(scheme)) colours.set(scheme, scheme);
    else if (spare.length > 0) colours.set(scheme, spare.shift());
  }
  const place = (scheme) => (COLOURED.includes(scheme) ? COLOURED.indexOf(scheme) : 5.5);
  const schemes = [...colours].sort(([a], [b]) => place(a) - place(b));
  return new Map(counts.size > colours.size ? [[OTHER, OTHER], ...schemes] : schemes);
}

// The colours of what is drawn, and of the domain or host that is chosen.
function coloursNow() {
  const { kind, colours } = common.division;
  const chosen = state.filters.get(kind);
  return kind === "scheme" || chosen === undefined || colours.has(chosen) ? colours : new Map([...colours, [chosen, "telnet"]]);
}

const colourOf = (value) => `var(--${coloursNow().get(value) ?? OTHER})`;

function makeSvg(name, attributes, ...content) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

// The links of each period by the values that are drawn.
function partsOf(periods, picture) {
  const length = periods[0].length;
  const colours = coloursNow();
  const parts = new Map(periods.map((period) => [period, new Map([...colours.keys()].map((value) => [value, 0]))]));
  for (const [day, counts] of picture) {
    const inPeriod = isDay(day) ? parts.get(day.slice(0, length)) : undefined;
    if (inPeriod === undefined) continue;
    for (const [value, n] of counts) {
      const drawn = colours.has(value) ? value : OTHER;
      inPeriod.set(drawn, (inPeriod.get(drawn) ?? 0) + n);
    }
  }
  return [...parts];
}

// The text about a column, in its tooltip.
function describe(period, parts) {
  const all = sum(parts.values());
  const rows = [...parts].filter(([, n]) => n > 0).reverse();
  const lines = rows.map(([value, n]) => `${value} ${number(n)} (${percent(n, all)})`);
  return [`${timeName(period)}: ${plural(all, "link")}`, ...lines];
}

// The horizontal lines of a chart: at 1, 2 or 5 times a power of ten.
function rulesUpTo(most, lines) {
  const raw = most / lines;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, power * [1, 2, 5, 10].find((factor) => factor * power >= raw));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
}

// A column is cut if it is more than so many times the next one, and to no less than its
// tenth.
const CUT = 3;

// The number at which columns are cut, so that a few do not flatten the others; the most if
// none is. A cut column still is the highest.
function limitOf(numbers) {
  const ordered = numbers.filter((n) => n > 0).sort((a, b) => b - a);
  const few = Math.min(Math.max(1, Math.floor(ordered.length / 8)), ordered.length - 1);
  for (let n = few; n > 0; n -= 1) {
    if (ordered[n - 1] > CUT * ordered[n]) return Math.max(ordered[n] * 1.3, ordered[0] / 10);
  }
  return Math.max(1, ordered[0] ?? 1);
}

// The heights: above the charts, of each line of names below them, between the two charts.
const HEAD = 16;
const FOOT = 18;
const BETWEEN = 18;

// With fewer links than this, a share means little.
const FEW = 20;
const isFew = (all) => all > 0 && all < FEW;

// The parts of a chart: the number of links and, if it is wanted, the share of each part.
function panelsIn(height, foot, most, hasShares) {
  const bottom = height - foot;
  const middle = hasShares ? HEAD + (bottom - HEAD - BETWEEN) * 0.45 : bottom;
  const within = (top, bottom, most) => ({ top, most, y: (n) => bottom - (Math.min(n, most) / most) * (bottom - top) });
  const numbers = { ...within(HEAD, middle, most), value: (n) => n, name: number, lines: 4 };
  const shares = { ...within(middle + BETWEEN, bottom, 100), isShare: true, value: (n, all) => (100 * n) / all, name: (n) => `${n} %`, lines: 4 };
  return hasShares ? [numbers, shares] : [numbers];
}

// The part that is chosen.
function chosenPart() {
  const chosen = state.filters.get(common.division.kind);
  return chosen === undefined || coloursNow().has(chosen) ? chosen : OTHER;
}

// The links that a column of numbers has: those of the part that is chosen, or all.
function countedOf(parts) {
  const chosen = chosenPart();
  return chosen === undefined ? parts : new Map([...parts].filter(([value]) => value === chosen));
}

const heightOf = (parts) => sum(countedOf(parts).values());

const hasParts = () => common.division.colours.size > 1;
const titleOf = (unit) => (hasParts() ? `${unit.plural} and ${common.division.name}` : unit.plural);

// Draws a chart in a box.
function drawChart(box, { unit, periods, title }, picture) {
  const [width, height] = [Math.max(box.clientWidth || 700, 200), Math.max(box.clientHeight, 150)];
  const columns = partsOf(periods, picture);
  const limit = limitOf(columns.map(([, parts]) => heightOf(parts)));
  const isPart = title !== "";
  const foot = isPart || unit.name === "year" ? FOOT + 4 : 2 * FOOT;
  const panels = panelsIn(height, foot, limit, !isPart && hasParts());
  const label = `${title || titleOf(unit)}. The arrow keys move, Enter chooses.`;
  const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label });
  const left = drawRules(svg, panels, width);
  const step = (width - left) / columns.length;
  const chosen = state.filters.get("time") ?? "";
  const names = namesOf(periods, unit, step, isPart);
  columns.forEach(([period, parts], n) => {
    const place = { x: left + n * step, step, width, height, foot };
    svg.append(...writing(parts, { ...place, panels, names: names[n], isChosen: chosen === period }));
    svg.append(column(period, parts, { ...place, panels, chosen, unit }));
  });
  rove(svg, chosen);
  box.replaceChildren(svg);
  return columns;
}

// The names below each column, and what they are part of, unless a title says so: those for
// which there is room.
function namesOf(periods, unit, step, hasTitle) {
  const every = Math.ceil({ day: 22, month: 38, year: 52 }[unit.name] / step);
  const wholes = periods.map((period, n) => (hasTitle ? "" : labels(period, n === 0)[1]));
  return periods.map((period, n) => {
    const fits = (unit.name === "year" ? periods.length - 1 - n : n) % every === 0;
    const next = wholes.findIndex((whole, other) => other > n && whole);
    const hasRoom = next < 0 || (next - n) * step >= 60;
    return [fits ? labels(period, n === 0)[0] : "", hasRoom ? wholes[n] : ""];
  });
}

// Draws the horizontal lines. Returns where the columns start.
function drawRules(svg, panels, width) {
  const rules = panels.flatMap((panel) => rulesUpTo(panel.most, panel.lines).map((n) => [panel.y(n), panel.name(n)]));
  const left = 14 + 7 * Math.max(...rules.map(([, name]) => name.length));
  for (const [y, name] of rules) {
    svg.append(
      makeSvg("line", { class: "rule", x1: left, x2: width, y1: y, y2: y }),
      makeSvg("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, name),
    );
  }
  return left;
}

// The width of a text, at most: fonts differ.
const widthOf = (text) => text.length * 8;

// The middle of a text of which both halves are drawn within the width.
const clamp = (middle, half, width) => Math.min(Math.max(middle, half), width - half);

// The texts at a column: its names below it, and its number above it if it is cut. Its label
// says both.
function writing(parts, { x, step, width, height, foot, panels: [{ top, most }], names: [name, whole], isChosen }) {
  const all = heightOf(parts);
  const below = height - foot + FOOT - 2;
  const text = (text, attributes) => makeSvg("text", { ...attributes, class: isChosen ? "chosen" : "", "aria-hidden": true }, text);
  const middle = (text) => ({ x: clamp(x + step / 2, widthOf(text) / 2, width), "text-anchor": "middle" });
  const start = Math.min(x + step * 0.1, width - widthOf(whole));
  const texts = [text(name, { ...middle(name), y: below }), text(whole, { x: start, y: below + FOOT })];
  if (all > most) texts.push(text(number(all), { ...middle(number(all)), y: top - 4 }));
  return texts.filter((text) => text.textContent !== "");
}

// The column of a period.
function column(period, parts, { x, step, height, panels, chosen, unit }) {
  const isChosen = chosen === period;
  const isWithin = chosen.slice(0, unit.length) === period;
  const group = makeSvg("g", { class: "column", "data-time": period, role: "button", "aria-pressed": isChosen });
  if (isDay(chosen || NO_DATE) && chosen.length >= period.length && !isWithin) group.classList.add("unchosen");
  for (const panel of panels) {
    const drawn = panel.isShare ? parts : countedOf(parts);
    group.append(...stack(drawn, panel, { x: x + step * 0.1, width: step * 0.8 }));
  }
  if (heightOf(parts) > panels[0].most) group.append(cutMark(panels[0], x, step));
  group.append(makeSvg("rect", { class: "hit", x, width: step, y: 0, height }));
  const text = describe(period, parts);
  group.setAttribute("aria-label", text.join(", "));
  listen(group, period, text.join("\n"));
  return group;
}

// The parts of a column, stacked. In a column that is cut, they are as large as in a whole one
// of its height.
function stack(parts, { value, y, most, isShare }, across) {
  const all = sum(parts.values());
  const scale = isShare ? 1 : Math.min(1, most / all);
  let below = 0;
  const rects = [];
  const chosen = chosenPart();
  for (const [part, n] of parts) {
    if (n === 0) continue;
    const size = value(n, all) * scale;
    const [foot, top] = [y(below), y(below + size)];
    below += size;
    const isFaded = chosen !== undefined && chosen !== part;
    const opacity = isFaded ? 0.25 : isShare && isFew(all) ? 0.45 : 1;
    const rect = makeSvg("rect", { class: "part", "data-part": part, ...across, y: top, height: foot - top, opacity });
    rect.style.fill = colourOf(part);
    rects.push(rect);
  }
  return rects;
}

// The mark of a column that is cut: a gap in it.
function cutMark({ top }, x, step) {
  const wave = `M${x} ${top + 10} l${step / 4} -6 l${step / 4} 6 l${step / 4} -6 l${step / 4} 6`;
  return makeSvg("path", { class: "cut", d: wave });
}

// Only one column of a chart is reached with Tab: the chosen one, or the last one. The arrow
// keys reach the others.
function rove(svg, chosen) {
  const groups = [...svg.querySelectorAll(".column")];
  const first = groups.find((group) => chosen.startsWith(group.dataset.time)) ?? groups.at(-1);
  for (const group of groups) group.setAttribute("tabindex", group === first ? 0 : -1);
  svg.addEventListener("keydown", (event) => {
    const at = groups.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: groups.length - 1 }[event.key];
    if (at < 0 || groups[to] === undefined) return;
    event.preventDefault();
    groups[at].setAttribute("tabindex", -1);
    groups[to].setAttribute("tabindex", 0);
    groups[to].focus();
  });
}

// A column can be pointed at, clicked, and reached with the keyboard.
function listen(group, period, text) {
  group.addEventListener("click", () => toggle("time", period));
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle("time", period);
  });
  group.addEventListener("pointermove", (event) => showTip(text, event.clientX, event.clientY));
  group.addEventListener("focus", () => {
    const box = group.getBoundingClientRect();
    if (group.matches(":focus-visible")) showTip(text, box.right, box.top);
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

// Draws all charts of time, and says what is special in them.
function drawTime(picture) {
  const box = $("time");
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.time : undefined;
  const all = charts();
  box.hidden = all.length === 0;
  $("time-title").textContent = all.length > 0 ? titleOf(all[0].unit) : "Schemes";
  const isLow = (title) => title || !hasParts();
  const boxes = all.map(({ title }) => make("div", { class: isLow(title) ? "chart low" : "chart" }));
  box.replaceChildren(...all.flatMap(({ title }, n) => (title ? [make("h3", {}, title), boxes[n]] : [boxes[n]])));
  const drawn = all.map((chart, n) => drawChart(boxes[n], chart, picture));
  drawNotes(drawn);
  if (focused !== undefined) box.querySelector(`[data-time="${focused}"]`)?.focus();
}

function drawNotes(drawn) {
  const notes = drawn.flatMap((columns) => {
    const numbers = columns.map(([period, parts]) => [period, heightOf(parts)]);
    const limit = limitOf(numbers.map(([, n]) => n));
    const cut = numbers.filter(([, n]) => n > limit).map(([period, n]) => `${timeName(period)} (${number(n)})`);
    return cut.length > 0 ? [`Cut, because higher than the chart: ${cut.join(", ")}.`] : [];
  });
  const isPale = drawn[0]?.some(([, parts]) => isFew(sum(parts.values())));
  if (isPale) notes.push(`Pale shares are of fewer than ${FEW} links.`);
  $("time-notes").textContent = notes.join(" ");
}
