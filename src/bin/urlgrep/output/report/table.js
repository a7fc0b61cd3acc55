// The table, a page at a time, the search in it, and the page as a whole.

const ROWS = 100;

// The columns, each with its width and what it is sorted by.
const COLUMNS = [
  ["URL", 34, (link) => link.url],
  ["Date", 9, (link) => link.message.time],
  ["Message", 24, (link) => link.message.subject],
  ["Position", 18, (link) => link.order],
  ["Grade", 7, (link) => link.grade],
  ["Form", 7, (link) => link.form],
  ["Join", 8, (link) => link.join],
];

// The links of the table, sorted by a column, from index `from` on.
const table = { list: links, by: 3, descending: false, from: 0 };

// Compares two values. A missing value is last.
function compare(a, b, sign) {
  const missing = (value) => value === undefined || value === null || Number.isNaN(value);
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  return a < b ? -sign : a > b ? sign : 0;
}

function sortLinks() {
  const value = COLUMNS[table.by][2];
  const sign = table.descending ? -1 : 1;
  table.list.sort((a, b) => compare(value(a), value(b), sign) || a.order - b.order);
}

function drawColumns() {
  const heads = COLUMNS.map(([name, width], n) => {
    const button = make("button", { type: "button" }, name);
    button.addEventListener("click", () => {
      Object.assign(table, { descending: table.by === n && !table.descending, by: n, from: 0 });
      sortLinks();
      drawTable();
    });
    return make("th", { scope: "col", style: `width: ${width}%` }, button);
  });
  $("columns").replaceChildren(...heads);
}

const CLIP = 400;
const clip = (text) => (text.length > CLIP ? `${text.slice(0, CLIP)}\u2026` : text);

function urlCell({ url, opens }) {
  if (opens === 0) return make("td", {}, clip(url));
  const href = opens === 1 ? url : opens;
  return make("td", {}, make("a", { href, target: "_blank", rel: "noreferrer noopener" }, clip(url)));
}

function row(link) {
  const { message, file, line, column } = link;
  const date = make("td", { title: message.date ?? "" }, message.date?.slice(0, 10) ?? "");
  const told = make("td", { title: message.id ?? "" }, message.subject ?? "", make("small", {}, message.from ?? ""));
  const place = [file.path, line, column].filter((part) => part !== null).join(":");
  const rest = [place, link.grade, link.form, link.join === "none" ? "" : link.join];
  return make("tr", {}, urlCell(link), date, told, ...rest.map((text) => make("td", {}, text)));
}

function drawTable() {
  const { list, from } = table;
  [...$("columns").children].forEach((head, n) => {
    if (n === table.by) head.setAttribute("aria-sort", table.descending ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
  $("rows").replaceChildren(...list.slice(from, from + ROWS).map(row));
  const which = list.length > 0 ? ` \u00b7 ${number(from + 1)} to ${number(Math.min(from + ROWS, list.length))} are shown` : "";
  $("count").textContent = `${number(list.length)} of ${number(links.length)} links${which}`;
  drawPages();
}

function drawPages() {
  const last = Math.max(0, Math.ceil(table.list.length / ROWS) - 1);
  const at = table.from / ROWS;
  const focused = $("pages").contains(document.activeElement) ? document.activeElement.textContent : "";
  const turn = (name, to) => {
    const button = make("button", { type: "button" }, name);
    button.disabled = to === at;
    button.addEventListener("click", () => {
      table.from = to * ROWS;
      drawTable();
      $("links-title").scrollIntoView();
    });
    return button;
  };
  const previous = Math.max(0, at - 1);
  const next = Math.min(last, at + 1);
  const where = make("span", {}, `Page ${number(at + 1)} of ${number(last + 1)}`);
  $("pages").replaceChildren(turn("First", 0), turn("Previous", previous), where, turn("Next", next), turn("Last", last));
  [...$("pages").children].find((button) => focused && button.textContent === focused)?.focus();
}

// The filters, each with a button that removes it.
function drawChosen() {
  const buttons = [...chosen.kinds].map(([kind, value]) => {
    const button = make("button", { type: "button", "aria-label": `Undo ${kind}: ${value}` }, `${kind}: ${value} \u00d7`);
    button.addEventListener("click", () => toggle(kind, value));
    return button;
  });
  $("chosen").replaceChildren(...buttons);
}

// Draws everything that depends on the filters. The keyboard focus stays.
function draw() {
  const list = document.activeElement?.closest?.(".bars, .legend, #undated");
  const at = list ? [...list.querySelectorAll("button")].indexOf(document.activeElement) : -1;
  const drawn = choose();
  Object.assign(table, { list: drawn.list, from: 0 });
  sortLinks();
  drawCharts(drawn);
  drawChosen();
  drawTable();
  if (at >= 0) list.querySelectorAll("button")[at]?.focus();
}

// Names that are not paths.
const NAMES = { "-": "standard input", ".": "the current directory" };

function drawTotals() {
  const years = [...new Set(links.map(KINDS.year))].filter(isYear).sort();
  const hosts = new Set(links.map(KINDS.host).filter((host) => host !== null));
  const names = about.names.map((name) => nameOf(NAMES, name)).join(", ");
  const more = about.more > 0 ? ` and ${number(about.more)} more` : "";
  document.title = $("title").textContent = `Links in ${names || "nothing"}${more}`;
  const totals = [
    [number(links.length), "links"],
    [number(hosts.size), "hosts"],
    [number(about.messages), "messages"],
    [number(about.files), "files"],
    [years.length > 1 ? `${years[0]}\u2013${years.at(-1)}` : (years[0] ?? "none"), "years"],
  ];
  $("totals").replaceChildren(...totals.map(([n, name]) => make("div", {}, make("dt", {}, name), make("dd", {}, n))));
}

let waiting;
$("search").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    chosen.words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    draw();
  }, 150);
});
let width = $("years").clientWidth;
addEventListener("resize", () => {
  if (width === $("years").clientWidth) return;
  width = $("years").clientWidth;
  drawYears(choose().picture);
});

drawTotals();
drawColumns();
draw();
document.body.dataset.drawn = links.length;
