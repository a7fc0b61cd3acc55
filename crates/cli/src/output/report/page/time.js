// Years, months and days: which are drawn, and their names.

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

// The units of time, each with the length of its values: 1994, 1994-02, 1994-02-28.
const UNITS = [
  { name: "year", plural: "Years", length: 4, next: (date) => date.setUTCFullYear(date.getUTCFullYear() + 1) },
  { name: "month", plural: "Months", length: 7, next: (date) => date.setUTCMonth(date.getUTCMonth() + 1) },
  { name: "day", plural: "Days", length: 10, next: (date) => date.setUTCDate(date.getUTCDate() + 1) },
];

// A unit is drawn if there would be at most so many columns, or else a larger one.
const MAX_COLUMNS = { month: 36, day: 62 };

// All values of a unit from one day to another.
function periods({ length, next }, first, last) {
  const all = [];
  // The day 1 is in every month.
  const date = new Date(`${first.slice(0, length)}${"-01".repeat((10 - length) / 3)}T00:00:00Z`);
  for (;;) {
    const period = date.toISOString().slice(0, length);
    if (period > last.slice(0, length)) return all;
    all.push(period);
    next(date);
  }
}

// The first and the last day of all links; undefined if none has a date.
const SPAN = links.reduce((span, { message: { day } }) => {
  if (!isDay(day)) return span;
  if (span === undefined) return [day, day];
  return [day < span[0] ? day : span[0], day > span[1] ? day : span[1]];
}, undefined);

// The index of the unit of the first chart.
const FIRST_UNIT = (() => {
  if (SPAN === undefined) return 0;
  const fits = (unit) => periods(unit, ...SPAN).length <= MAX_COLUMNS[unit.name];
  return fits(UNITS[1]) ? (fits(UNITS[2]) ? 2 : 1) : 0;
})();

// The charts of time: that of all links, and for a year or month that is chosen, that of its
// months or days. Each has a title and its periods. One day is no chart.
function charts() {
  if (SPAN === undefined || SPAN[0] === SPAN[1]) return [];
  const all = [{ unit: UNITS[FIRST_UNIT], title: "", periods: periods(UNITS[FIRST_UNIT], ...SPAN) }];
  const chosen = state.filters.get("time") ?? "";
  for (const unit of UNITS.slice(FIRST_UNIT + 1)) {
    const whole = chosen.slice(0, unit.length - 3);
    if (!/^\d{4}(-(0\d|1[0-2]))?$/.test(whole) || whole.length !== unit.length - 3) break;
    const [first, last] = unit.name === "month" ? [`${whole}-01`, `${whole}-12`] : [`${whole}-01`, lastDay(whole)];
    all.push({ unit, title: `${unit.plural} of ${timeName(whole)}`, periods: periods(unit, first, last) });
  }
  return all;
}

function lastDay(month) {
  const [year, n] = month.split("-").map(Number);
  return new Date(Date.UTC(year, n, 0)).toISOString().slice(0, 10);
}

// The names of times that are none.
const UNTIMED = { [NO_MESSAGE]: "not in mail", [NO_DATE]: "no date", [ODD_DATE]: `before ${FIRST_YEAR}`, [FUTURE]: "in the future" };

// A year, month or day in words.
function timeName(time) {
  const [year, month, day] = time.split("-");
  if (!isDay(time) || month === undefined) return nameOf(UNTIMED, time);
  return [day && Number(day), MONTHS[month - 1] ?? month, year].filter(Boolean).join(" ");
}

// The short name of a column, and below it what it is part of.
function labels(period, isFirst) {
  const [year, month, day] = period.split("-");
  if (month === undefined) return [year, ""];
  const short = MONTHS[month - 1].slice(0, 3);
  if (day === undefined) return [short, isFirst || month === "01" ? year : ""];
  return [String(Number(day)), isFirst || day === "01" ? `${short} ${year}` : ""];
}
