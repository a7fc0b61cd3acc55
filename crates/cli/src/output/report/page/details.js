// The row that is open: its context, its message, and all that is known of it.

function toggleRow(row) {
  change({ row: openIn(row) === undefined ? row[0].order + 1 : null });
  focusRow(row[0].order + 1);
}

function closeRow() {
  const row = drawn.rows.find((row) => openIn(row) !== undefined);
  change({ row: null });
  if (row !== undefined) focusRow(row[0].order + 1);
}

// The element of the row whose first link has this number.
const rowElement = (number) => document.querySelector(`[data-row="${number}"]`);

function focusRow(number) {
  rowElement(number)?.querySelector(".opener").focus({ preventScroll: true });
}

// The links of the same URL that are listed, at most.
const LISTED = 20;

// The links of a row of several. A click on one shows its details.
function timesElement(row, open) {
  if (row.length === 1) return "";
  const { url } = open;
  const items = row.slice(0, LISTED).map((link, n) => {
    const { message, file, line } = link;
    const day = isDay(message.day) ? `${message.day} ` : "";
    const name = clip(message.subject || placeOf(file), 80);
    const isOpen = link === open;
    const show = () => {
      change({ row: link.order + 1 });
      document.querySelectorAll("#times button")[n]?.focus({ preventScroll: true });
    };
    const where = line === null ? "" : ` \u00b7 line ${number(line)}`;
    return make("li", {}, makeButton({ "aria-pressed": isOpen }, show, `${day}${name}${where}`));
  });
  const all = () => change({ filters: new Map([...state.filters, ["url", url]]), each: true, page: 1, row: null });
  return make("div", {}, make("ul", { id: "times" }, ...items), makeButton({}, all, `All ${number(row.length)}, each as a row`));
}

// The text around the link. The link itself is marked, unless it is not in the text.
function excerptElement({ excerpt, url }) {
  if (!excerpt) return "";
  const [before, after] = excerpt;
  const text = after === undefined ? [before] : [before, make("mark", {}, ...breakable(clip(url))), after];
  return make("p", { class: "excerpt" }, ...text);
}

// Returns the URL as --defang prints it. A test compares the two.
function defanged(href) {
  const bracketed = (text, marks) => text.replace(marks, "[$&]");
  const host = /^([^:/?#]+:\/\/|mailto:[^@/?#]*)([^/?#]*)/i;
  if (!/^(?:http|ftp)s?:/.test(href) && !/[.@]/.test(href.match(host)?.[2] ?? "")) return href;
  const spelled = bracketed(href, /(?<=\[)[.:/@](?=\])|(?<=\()[.:/@](?=\))|(?<=\{)[.:/@](?=\})/g)
    .replace(/(?<![A-Za-z\d])(?:http|ftp)(?=s?:)/g, (scheme) => (scheme === "ftp" ? "fxp" : "hxxp"));
  const [start, before, name] = spelled.match(host) ?? ["", "", ""];
  // Further addresses, and the hosts of URLs within the URL.
  const inner = /^mailto:/i.test(href) ? /@[^/?#&,;%]*|(?<=:\/\/)[^/?#&,;%]+/g : /(?<=:\/\/)[^/?#&,;%]+/g;
  const rest = spelled.slice(start.length).replace(inner, (found) => bracketed(found, /[.@]/g));
  return before + bracketed(name, /[.@]/g) + rest;
}

// A button that copies a URL for a ticket or a report. Not every browser lets a page copy.
function copyElement({ url, opens }) {
  if (opens === 0 || !navigator.clipboard) return "";
  const text = defanged(opens === 1 ? url : opens);
  const copy = ({ target }) => navigator.clipboard.writeText(text).then(() => (target.textContent = "Copied"));
  return makeButton({}, copy, "Copy defanged");
}

function detailRow(link, row) {
  const { message, file, line, column, text, others, host, domain } = link;
  const place = [file, line, column].filter((part) => part !== null).join(":");
  const only = (kind, value, name) =>
    value && state.filters.get(kind) !== value ? makeButton({}, () => toggle(kind, value), `Only this ${name}`) : "";
  const entries = [
    ["Context", excerptElement(link)],
    ["URL", make("span", {}, urlElement(link, ...breakable(link.url)), " ", copyElement(link))],
    ["Text of the link", text],
    ["Warnings", link.warnings.map((warning) => nameOf(about.warnings, warning)).join("\n")],
    ["Other readings", others?.join("\n")],
    ["Times", timesElement(row, link)],
    ["Host", host ? make("span", {}, host, " ", only("host", host, "host"), domain === host ? "" : only("domain", domain, "domain")) : ""],
    ["Subject", message.subject],
    ["From", message.from ? make("span", {}, message.from, " ", only("from", message.sender, "sender")) : ""],
    ["Date", message.date],
    ["Message-ID", message.id],
    ["Place", make("span", {}, pathElement(place))],
    ["Role", link.role],
    ["Form", link.form],
    ["Grade", nameOf(GRADES, link.grade)],
    ["Lines", nameOf(JOINS, link.join)],
  ];
  const shown = entries.filter(([, value]) => value);
  const items = shown.map(([name, value]) => {
    const width = { class: name === "Context" ? "wide" : "" };
    return make("div", width, make("dt", {}, name), make("dd", {}, value));
  });
  const list = make("dl", {}, ...items);
  const cell = make("td", { role: "cell", colspan: COLUMNS.length }, list);
  return make("tr", { role: "row", class: "details" }, cell);
}
