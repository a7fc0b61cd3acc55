// The table, a page at a time.

const ROWS = 100;

// More rows are not printed.
const PRINTED = 2000;

// The columns: what each is sorted by, and its share of the width.
const COLUMNS = [["url", 37], ["date", 10], ["message", 26], ["place", 18], ["form", 9]];

const CLIP = 400;
const clip = (text) => (text.length > CLIP ? `${text.slice(0, CLIP)}\u2026` : text);

// A click opens nothing but these. The program says the same; this is the second lock.
const OPENED = /^(https?|ftp|gopher|mailto|news):/i;

// A URL, as a link if a click may open it.
function urlElement({ url, opens }, ...text) {
  const href = opens === 1 ? url : opens;
  if (opens === 0 || !OPENED.test(href)) return make("span", { class: "url" }, ...text);
  return make("a", { class: "url", href, target: "_blank", rel: "noreferrer noopener" }, ...text);
}

// A URL that is broken after a delimiter rather than within a word.
const breakable = (url) => url.split(/(?<=[/?&=])(?![/?&=])/).flatMap((part) => [part, make("wbr", {})]).slice(0, -1);

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

function row(link) {
  const { message } = link;
  const isOpen = state.row === link.order + 1;
  const label = `Details of ${clip(link.url)}`;
  const opener = makeButton({ class: "opener", "aria-expanded": isOpen, "aria-label": label }, () => toggleRow(link));
  const url = make("td", { role: "cell", class: "link" }, opener, urlElement(link, ...breakable(clip(link.url))));
  const join = link.join === "none" ? "" : `, ${nameOf(JOINS, link.join)}`;
  const row = make("tr", { role: "row", "data-row": link.order + 1 }, url);
  row.append(
    cell("date", message.date, isDay(message.day) ? message.day : nameOf(UNTIMED, message.day)),
    cell("message", "", message.subject, message.from),
    placeCell(link),
    cell("form", "", link.form, `${link.grade}${join}`),
  );
  // A click on the row opens it, unless it selects text or is on a link.
  row.addEventListener("click", (event) => {
    if (!event.target.closest("a, button") && String(getSelection()) === "") toggleRow(link);
  });
  return isOpen ? [row, detailRow(link)] : [row];
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
  change({ down: state.sort === key && !state.down, sort: key, page: 1 });
}

function markSorted() {
  [...$("columns").children].forEach((head, n) => {
    if (COLUMNS[n][0] === state.sort) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
  $("sort").value = state.sort;
  $("direction").textContent = state.down ? "\u2193 descending" : "\u2191 ascending";
}

// Draws a page of the table, or all of it for a printer.
function drawTable(list, isPrinted = false) {
  const pages = Math.max(1, Math.ceil(list.length / ROWS));
  state.page = Math.min(state.page, pages);
  const from = isPrinted ? 0 : (state.page - 1) * ROWS;
  const shown = list.slice(from, from + (isPrinted ? PRINTED : ROWS));
  markSorted();
  $("rows").replaceChildren(...shown.flatMap(row));
  $("links").hidden = list.length === 0;
  $("no-rows").hidden = list.length > 0;
  $("shown").textContent = `${number(from + 1)} to ${number(from + shown.length)} of ${plural(list.length, "link")}`;
  drawPages("pages", state.page, pages, (page) => {
    change({ page, row: null });
    $("links").scrollIntoView();
  });
}
