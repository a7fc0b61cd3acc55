// The links of the view as comma-separated values, as the program writes them with --csv.

// The columns, with their names in the program.
const CSV = [
  ["path", (link) => link.file],
  ["line", (link) => link.line],
  ["column", (link) => link.column],
  ["url", (link) => link.url],
  ["scheme", (link) => link.scheme],
  ["host", (link) => link.host],
  ["form", (link) => link.form],
  ["text", (link) => link.text],
  ["role", (link) => link.role],
  ["grade", (link) => link.grade],
  ["join", (link) => (link.join === "none" ? "" : link.join)],
  ["alternatives", (link) => link.others?.join(" ")],
  ["warnings", (link) => link.warnings.join(" ")],
  ["message.id", (link) => link.message.id],
  ["message.from", (link) => link.message.from],
  ["message.date", (link) => link.message.date],
  ["message.subject", (link) => link.message.subject],
];

// What a spreadsheet may take for a formula: its first visible character, without regard to compatibility, is a sign.
const FORMULA =
  /^(?:[\t\r]|[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2028-\u202e\ufff9-\ufffb]*[=\u207c\u208c\u2a75\u2a76\ufe66\uff1d+\u207a\u208a\ufb29\ufe62\uff0b\-\u207b\u208b\u2212\ufe63\uff0d@\ufe6b\uff20])/u;

// A value as a cell. No spreadsheet takes it for a formula, nor for several cells.
function csvCell(value) {
  const text = String(value ?? "");
  const neutral = FORMULA.test(text) ? `'${text}` : text;
  return /[,"\r\n;\t]/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
}

function toCsv(list) {
  const rows = list.map((link) => CSV.map(([, value]) => csvCell(value(link))).join(","));
  return [CSV.map(([name]) => name).join(","), ...rows].map((row) => `${row}\r\n`);
}

function exportCsv(list) {
  const file = new Blob(toCsv(list), { type: "text/csv;charset=utf-8" });
  const link = make("a", { href: URL.createObjectURL(file), download: "links.csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
