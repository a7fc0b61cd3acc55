// The row that is open: its context, its message, and all that is known of it.

function toggleRow(link) {
  const row = link.order + 1;
  if (state.row === row) closeRow();
  else change({ row });
  focusRow(row);
}

function closeRow() {
  const row = state.row;
  change({ row: null });
  focusRow(row);
}

function focusRow(row) {
  document.querySelector(`[data-row="${row}"] .opener`)?.focus({ preventScroll: true });
}

// The text around the link. The link itself is marked, unless it is not in the text.
function excerptElement({ excerpt, url }) {
  if (!excerpt) return "";
  const [before, after] = excerpt;
  const text = after === undefined ? [before] : [before, make("mark", {}, ...breakable(clip(url))), after];
  return make("p", { class: "excerpt" }, ...text);
}

function detailRow(link) {
  const { message, file, line, column, text, others, host } = link;
  const place = [file, line, column].filter((part) => part !== null).join(":");
  const onlyHost = host && state.filters.get("host") !== host ? makeButton({}, () => toggle("host", host), "Only this host") : "";
  const entries = [
    ["Context", excerptElement(link)],
    ["URL", urlElement(link, ...breakable(link.url))],
    ["Text of the link", text],
    ["Other readings", others?.join("\n")],
    ["Host", host ? make("span", {}, host, " ", onlyHost) : ""],
    ["Subject", message.subject],
    ["From", message.from],
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
