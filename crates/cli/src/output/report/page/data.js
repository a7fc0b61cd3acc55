"use strict";
// The links: read from the data of the page.
//
// The data was written by strangers. It is inserted into the page as text only,
// never as HTML.

const $ = (id) => document.getElementById(id);
const number = (n) => n.toLocaleString("en");
const plural = (n, one) => `${number(n)} ${one}${n === 1 ? "" : "s"}`;

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

// A new button that calls `act`.
function makeButton(attributes, act, ...content) {
  const button = make("button", { type: "button", ...attributes }, ...content);
  button.addEventListener("click", act);
  return button;
}

// Whether a host, or the domain of one, is there.
const isHost = (host) => host !== null && host !== undefined;

// The name of a value, or the value itself, if it has no other.
const nameOf = (names, value) => (Object.hasOwn(names, value) ? names[value] : value);

const about = JSON.parse($("about").textContent);

// The values in place of a day. There were no URLs before 1990, and no message is newer than the
// report: a clock was wrong, or a date is to be the newest in a list.
const NO_MESSAGE = "text";
const NO_DATE = "none";
const ODD_DATE = "odd";
const FUTURE = "future";
const FIRST_YEAR = "1990";
const isDay = (day) => ![NO_MESSAGE, NO_DATE, ODD_DATE, FUTURE].includes(day);

// The day of the report, in milliseconds from 1970, and the end of the next day, because in some
// time zones it is already tomorrow.
const DAY = 86_400_000;
const MADE = about.day * DAY;
const END = MADE + 2 * DAY;

function dayOf(date) {
  if (!date) return NO_DATE;
  if (date < FIRST_YEAR) return ODD_DATE;
  return Date.parse(date) < END ? date.slice(0, 10) : FUTURE;
}

// The address of a sender, which stays when the name changes, and the name: "A <a@h.org>",
// "a@h.org (A)".
function readSender(from) {
  const [, name, address] = /^(.*)<([^<>\s]+)>\s*$/.exec(from) ?? [];
  const [, bare, comment] = /^\s*(\S+@\S+)\s+\((.*)\)\s*$/.exec(from) ?? [];
  return [(address ?? bare ?? from).trim().toLowerCase(), (name ?? comment ?? "").replaceAll('"', "").trim()];
}

// The name of each sender that has one, where it is first.
const senderNames = new Map();

function readMessage({ date, from, subject, id }) {
  const [sender, name] = from ? readSender(from) : [null, ""];
  if (name && !senderNames.has(sender)) senderNames.set(sender, name);
  const day = dayOf(date);
  return { date, from, subject, id, sender, time: isDay(day) ? Date.parse(date) : NaN, day };
}

// The fields of a link. The program says what the numbers stand for where it writes them.
function readLink(entry, order, file, message) {
  const [line, column, url, opens, scheme, shortHost, shortDomain, form, grade, join, excerpt, text, others, role, warnings] = entry;
  const start = url.indexOf("://") + 3;
  const host = typeof shortHost === "number" ? url.slice(start, start + shortHost).toLowerCase() : shortHost;
  const domain = typeof shortDomain === "number" ? host?.slice(-shortDomain) : shortDomain;
  return {
    order, file, message, line, column, url, opens, excerpt, text, others, role: role ?? "text", warnings: warnings ?? [],
    scheme: scheme === 0 ? url.slice(0, url.indexOf(":")).toLowerCase() : scheme,
    host, domain,
    form: form === 0 ? "bare" : form,
    grade: grade === 0 ? "rfc1738" : grade,
    join: join === 0 ? "none" : join,
  };
}

// All links, in the order of the search.
function readLinks() {
  const links = [];
  const none = { time: NaN, day: NO_MESSAGE, sender: null };
  let [file, message] = ["", none];
  for (const block of document.querySelectorAll("script.links")) {
    for (const entry of JSON.parse(block.textContent)) {
      if (typeof entry === "string") file = entry;
      else if (entry === null) message = none;
      else if (!Array.isArray(entry)) message = readMessage(entry);
      else links.push(readLink(entry, links.length, file, message));
    }
    block.remove();
  }
  return links;
}

const links = readLinks();

// Names that are not paths.
const NAMES = { "-": "standard input", ".": "the current directory" };

// A path from the directory on that contains all that was searched.
function placeOf(path) {
  const { under } = about;
  const rest = path.slice(under.length);
  const isUnder = under !== "" && path.startsWith(under) && (/^[/\\]/.test(rest) || /[/\\]$/.test(under));
  return isUnder ? rest.replace(/^[/\\]+/, "") : nameOf(NAMES, path);
}
