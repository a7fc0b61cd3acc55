// The table, a page at a time.

const ROWS = 100;

// A longer URL is cut in a row. The row that is open has all of it.
const URL_CLIP = 240;

// The columns: what each is sorted by, and its share of the width.
// Without a message there is no date and no sender.
const HAS_MAIL = links.some(({ message }) => message.day !== NO_MESSAGE);
const COLUMNS = HAS_MAIL ? [["url", 46], ["date", 11], ["message", 27], ["place", 16]] : [["url", 75], ["place", 25]];

const CLIP = 400;
const clip = (text, most = CLIP) => (text.length > most ? `${text.slice(0, most)}\u2026` : text);

// A click opens nothing but these. The program says the same; this is the second lock.
const OPENED = /^(https?|ftp|gopher|mailto|news):/i;

// A URL, as a link if a click may open it.
function urlElement({ url, opens }, ...text) {
  const href = opens === 1 ? url : opens;
  if (opens === 0 || !OPENED.test(href)) return make("span", { class: "url" }, ...text);
  return make("a", { class: "url", href, target: "_blank", rel: "noreferrer noopener" }, ...text);
}

// In the start of a URL so long, each part is an element. The rest is one text: there may be as
// many delimiters as a mail has bytes.
const BREAKABLE = 2000;

// A URL that is broken after a delimiter rather than within a word.
function breakable(url) {
  const parts = url.slice(0, BREAKABLE).split(/(?<=[/?&=])(?![/?&=])/);
  return [...parts.flatMap((part) => [part, make("wbr", {})]).slice(0, -1), url.slice(BREAKABLE)].filter((part) => part !== "");
}

// The directories of a path and its last part. In an escape, as \x1B, a backslash separates
// nothing.
const partsOfPath = (path) => path.split(/(?<=\/|\\(?!x[0-9A-F]{2}))/);

// A path whose directories are not broken within a word.
function pathElement(path, ...rest) {
  const parts = partsOfPath(path);
  return make("span", { class: "path", title: path }, ...[...parts, ...rest].map((part) => make("span", {}, part)));
}

function placeCell({ file, line, column }) {
  const parts = partsOfPath(placeOf(file));
  const directory = parts.slice(0, -1).join("");
  const position = [line, column].filter((part) => part !== null).map((part) => `:${part}`).join("");
  const cell = make("td", { role: "cell", class: "place" }, pathElement(parts.at(-1), position));
  if (directory) cell.append(make("small", {}, "in ", pathElement(directory)));
  return cell;
}

function cell(name, title, text, below) {
  const cell = make("td", { role: "cell", class: name }, text ?? "");
  if (title) cell.title = title;
  if (below) cell.append(make("small", {}, below));
  return cell;
}

// What a reader sees of a link in place of its URL. It is not what a click opens, and so it is
// no link. The text of a picture is empty, or says nothing.
const textOf = (row) => row.find(({ text, url }) => text?.trim() && text.trim() !== url)?.text;

// The URL of a row with its text, what it is, and how often it occurs.
function linkCell(row, opener) {
  const [link] = row;
  const text = textOf(row);
  const cell = make("td", { role: "cell", class: "link" }, opener);
  if (text) cell.append(make("span", { class: "text" }, clip(text)), " ");
  cell.append(urlElement(link, ...breakable(clip(link.url, URL_CLIP))));
  if (!FIRST_ROLES.includes(link.role)) cell.append(" ", make("span", { class: "tag" }, nameOf(ROLES_OF_ONE, link.role)));
  for (const warning of new Set(row.flatMap(({ warnings }) => warnings))) {
    cell.append(" ", make("span", { class: "tag warning" }, `! ${nameOf(about.warnings, warning)}`));
  }
  if (row.length > 1) cell.append(" ", make("span", { class: "tag" }, `${number(row.length)} times`));
  return cell;
}

const ROLES_OF_ONE = { text: "text", link: "link", image: "picture", tracker: "tracker", form_action: "form", resource: "resource", header: "header" };

function mailCells({ day, date, subject, from }) {
  const isWrong = day === ODD_DATE || day === FUTURE;
  return [
    isWrong ? cell("date", date, date.slice(0, 10), UNTIMED[day]) : cell("date", date, nameOf(UNTIMED, day)),
    cell("message", from, subject ? make("span", { class: "subject" }, subject) : "", from),
  ];
}

// The link that is open in a row: each of its links can be.
const openIn = (row) => (state.row === null ? undefined : row.find((link) => link.order === state.row - 1));

function makeRow(row) {
  const [link] = row;
  const { message } = link;
  const open = openIn(row);
  const label = `Details of ${clip(link.url)}`;
  const opener = makeButton({ class: "opener", "aria-expanded": open !== undefined, "aria-label": label }, () => toggleRow(row));
  const element = make("tr", { role: "row", "data-row": link.order + 1 }, linkCell(row, opener));
  if (HAS_MAIL) element.append(...mailCells(message));
  element.append(placeCell(link));
  // A click on the row opens it, unless it selects text or is on a link.
  element.addEventListener("click", (event) => {
    if (!event.target.closest("a, button") && String(getSelection()) === "") toggleRow(row);
  });
  return open === undefined ? [element] : [element, detailRow(open, row)];
}

function drawColumns() {
  const heads = COLUMNS.map(([key, width]) => {
    const button = makeButton({}, () => sortBy(key), ORDERS[key][0]);
    const head = make("th", { scope: "col", role: "columnheader", "data-name": ORDERS[key][0] }, button);
    head.style.width = `${width}%`;
    return head;
  });
  $("columns").replaceChildren(...heads);
  $("sort").replaceChildren(...Object.entries(ORDERS).map(([key, [name]]) => make("option", { value: key }, name)));
}

function sortBy(key) {
  change({ down: state.sort === key ? !state.down : startsDown(key), sort: key, page: 1 });
}

function markSorted() {
  [...$("columns").children].forEach((head, n) => {
    if (COLUMNS[n][0] === state.sort) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
  $("sort").value = state.sort;
  $("direction").textContent = state.down ? "\u2193 descending" : "\u2191 ascending";
  $("fold").setAttribute("aria-pressed", !state.each);
  $("fold").hidden = !common.hasRepeated;
}

// Which rows are shown, of how many.
function shownText(from, shown, { list, rows }) {
  const all = plural(list.length, "link");
  const range = rows.length <= shown ? "" : `${number(from + 1)} to ${number(from + shown)} of `;
  return rows.length === list.length ? `${range}${all}` : `${range}${plural(rows.length, "different URL")} in ${all}`;
}

// Draws a page of the table. No more than that is printed.
function drawTable({ list, rows }) {
  const pages = Math.max(1, Math.ceil(rows.length / ROWS));
  state.page = Math.min(state.page, pages);
  const from = (state.page - 1) * ROWS;
  const shown = rows.slice(from, from + ROWS);
  markSorted();
  $("rows").replaceChildren(...shown.flatMap(makeRow));
  $("links").hidden = list.length === 0;
  $("no-rows").hidden = list.length > 0;
  $("shown").textContent = shownText(from, shown.length, { list, rows });
  $("left").hidden = rows.length === shown.length;
  $("left").textContent = `${number(rows.length - shown.length)} more are not printed. Filters choose others; "Export as CSV" saves all.`;
  drawPages("pages", state.page, pages, (page) => {
    change({ page, row: null });
    $("links").scrollIntoView();
  });
}
