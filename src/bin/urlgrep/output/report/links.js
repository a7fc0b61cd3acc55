"use strict";
// The links: read from the data of the page, filtered, and counted.
//
// The data was written by strangers. It is inserted into the page as text only,
// never as HTML.

const $ = (id) => document.getElementById(id);
const number = (n) => n.toLocaleString("en");

// The values in place of a year. There were no URLs before 1990: a message dated
// before that or in the future was written by a clock that was wrong.
const NO_YEAR = "no date";
const ODD_YEAR = "odd date";
const FIRST_YEAR = "1990";
const LAST_YEAR = String(new Date().getFullYear() + 1);
const isYear = (year) => year !== NO_YEAR && year !== ODD_YEAR;

addEventListener("error", (event) => {
  document.body.dataset.failed = $("failure").textContent = `This page could not be drawn: ${event.message}`;
  $("failure").hidden = false;
});

// A new element with attributes, whose content is text or other elements.
function make(name, attributes, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

// The name of a value, or the value itself, if it has no other.
const nameOf = (names, value) => (Object.hasOwn(names, value) ? names[value] : value);

// The fields that are searched, as one text.
function searched(...fields) {
  return fields.filter(Boolean).join("\n").toLowerCase();
}

function yearOf(date) {
  if (!date) return NO_YEAR;
  const year = date.slice(0, 4);
  return year >= FIRST_YEAR && year <= LAST_YEAR ? year : ODD_YEAR;
}

function readMessage({ date, from, subject, id }) {
  const time = date ? Date.parse(date) : NaN;
  return { date, from, subject, id, time, year: yearOf(date), text: searched(subject, from, id, date) };
}

// All links, in the order of the search. The program documents the entries where it
// writes them.
function readLinks() {
  const links = [];
  const none = { time: NaN, year: NO_YEAR, text: "" };
  let [file, message] = [{}, none];
  for (const block of document.querySelectorAll("script.links")) {
    for (const entry of JSON.parse(block.textContent)) {
      if (typeof entry === "string") file = { path: entry, text: searched(entry) };
      else if (entry === null) message = none;
      else if (!Array.isArray(entry)) message = readMessage(entry);
      else {
        const [line, column, url, opens, scheme, host, form, grade, join] = entry;
        links.push({ order: links.length, file, message, line, column, url, opens, scheme, host, form, grade, join });
      }
    }
    block.remove();
  }
  return links;
}

const links = readLinks();
const about = JSON.parse($("about").textContent);

// The kinds of values that links can be filtered by, besides words.
const KINDS = {
  year: (link) => link.message.year,
  scheme: (link) => link.scheme,
  host: (link) => link.host,
  grade: (link) => link.grade,
  join: (link) => link.join,
};
const KEYS = Object.keys(KINDS);

// The filters: a value for each kind, and words.
const chosen = { kinds: new Map(), words: [] };

function hasWords(link) {
  return chosen.words.every(
    (word) => link.message.text.includes(word) || link.file.text.includes(word) || link.url.toLowerCase().includes(word),
  );
}

const tally = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);

// The links that pass the filters, and their number for each value of each kind. The
// filter of a kind does not apply to the numbers of that kind, so that its other
// values can still be seen and chosen. Years and schemes share one chart.
function choose() {
  const counts = Object.fromEntries(KEYS.map((key) => [key, new Map()]));
  const picture = new Map();
  const list = [];
  for (const link of links) {
    if (!hasWords(link)) continue;
    const against = KEYS.filter((key) => chosen.kinds.has(key) && chosen.kinds.get(key) !== KINDS[key](link));
    if (against.length === 0) list.push(link);
    for (const key of KEYS) {
      if (against.every((other) => other === key)) tally(counts[key], KINDS[key](link));
    }
    if (against.every((other) => other === "year" || other === "scheme")) {
      const { year } = link.message;
      if (!picture.has(year)) picture.set(year, new Map());
      tally(picture.get(year), link.scheme);
    }
  }
  return { list, counts, picture };
}

// Sets or removes a filter, and draws everything again.
function toggle(kind, value) {
  if (chosen.kinds.get(kind) === value) chosen.kinds.delete(kind);
  else chosen.kinds.set(kind, value);
  draw();
}

// The most frequent first, then by name.
function ranked(counts) {
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}
