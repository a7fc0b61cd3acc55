// The page as a whole: its title, the bar of filters, the keyboard, the printer.

const KIND_NAMES = { time: "date", scheme: "scheme", domain: "domain", host: "host", url: "URL", from: "from", grade: "grade", join: "lines", warning: "warning" };

// The name of a filter's value.
function chipName(kind, value) {
  if (kind === "time") return timeName(value);
  const names = { join: JOINS, warning: about.warnings }[kind];
  return names ? nameOf(names, value) : clip(value, 60);
}

// The filters, each with a button that removes it.
function drawChips(list) {
  const chips = [...state.filters].map(([kind, value]) => {
    const name = `${KIND_NAMES[kind]}: ${chipName(kind, value)}`;
    const filters = new Map([...state.filters].filter(([other]) => other !== kind));
    const remove = () => change({ filters, page: 1, row: null });
    return makeButton({ class: "chip", "aria-label": `Remove the filter ${name}` }, remove, name);
  });
  const isFiltered = chips.length > 0 || state.words !== "";
  if (isFiltered) chips.push(makeButton({ title: "Esc removes one at a time" }, clearFilters, "Remove all"));
  $("chips").replaceChildren(...chips);
  $("count").textContent = list.length < links.length
    ? `${number(list.length)} of ${plural(links.length, "link")}`
    : plural(links.length, "link");
  const names = [...state.filters].map(([kind, value]) => chipName(kind, value));
  document.title = [...(state.words ? [state.words] : []), ...names, TITLE].join(" \u00b7 ");
}

// What the links of the roles that are shown have in common.
let common;

// What is drawn, for which filters, and in which order. Counting and sorting take time, and
// neither depends on the page or the row.
let drawn;

// Counts, sorts and folds what has changed.
function prepare() {
  const roles = [...state.roles].sort().join();
  if (common?.roles !== roles) common = { ...lookOver(), roles };
  const key = JSON.stringify([[...state.filters], state.words, roles]);
  if (drawn?.key !== key) drawn = { ...choose(common), key };
  const order = `${state.sort} ${state.down} ${state.each}`;
  if (drawn.order === order) return;
  sortLinks(drawn.list);
  Object.assign(drawn, { rows: fold(drawn.list), order });
}

// Draws the state. The keyboard focus stays.
function draw() {
  const list = document.activeElement?.closest?.(".bars, .legend, #undated, #chips, #roles");
  const at = list ? [...list.querySelectorAll("button")].indexOf(document.activeElement) : -1;
  prepare();
  if ($("search").value !== state.words) $("search").value = state.words;
  if ($("host-search").value !== state.hosts) $("host-search").value = state.hosts;
  drawChips(drawn.list);
  drawRoles(drawn.counts.role);
  drawPanels(drawn);
  drawCharts();
  drawTable(drawn);
  if (at >= 0) [...list.querySelectorAll("button")].at(Math.min(at, list.querySelectorAll("button").length - 1))?.focus();
}

// Draws the charts. A narrow screen shows them and the panels on request.
function drawCharts() {
  $("layout").classList.toggle("closed", !state.charts);
  drawTimes(drawn);
  $("layout").classList.toggle("alone", $("panels").hidden);
  $("charts").hidden = $("panels").hidden && $("time-section").hidden;
  $("charts").setAttribute("aria-expanded", state.charts);
}

// Draws what the address says, and shows the row in it.
function drawAddress() {
  readState();
  draw();
  if (state.row === null) return;
  const at = drawn.rows.findIndex((row) => openIn(row) !== undefined);
  if (at < 0) return;
  state.page = Math.floor(at / ROWS) + 1;
  drawTable(drawn);
  rowElement(drawn.rows[at][0].order + 1)?.scrollIntoView({ block: "center" });
}

const SEARCHED = about.names.map((name) => nameOf(NAMES, name)).join(", ") || "nothing";
const TITLE = `Links in ${SEARCHED}${about.more > 0 ? ` and ${number(about.more)} more` : ""}`;

function drawTotals() {
  const domains = new Set(DOMAINS.values());
  const [first, last] = (SPAN ?? []).map((day) => day.slice(0, 4));
  $("title").textContent = TITLE;
  const count = (n, one) => [number(n), n === 1 ? one : `${one}s`];
  const totals = [
    count(links.length, "link"),
    count(domains.size, "domain"),
    ...(about.messages > 0 ? [count(about.messages, "message")] : []),
    count(about.files, "file"),
    ...(SPAN === undefined ? [] : [first === last ? [first, "year"] : [`${first}\u2013${last}`, "years"]]),
  ];
  $("totals").replaceChildren(...totals.map(([n, name]) => make("div", {}, make("dt", {}, name), make("dd", {}, n))));
}

// Draws after a pause in typing. The first letter adds an entry to the history.
function whenTyped(input, changes) {
  let waiting;
  let last = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    pending = changes(input.value);
    waiting = setTimeout(() => {
      change({}, Date.now() - last < 3000);
      last = Date.now();
    }, 150);
  });
}

function listenToPage() {
  whenTyped($("search"), (words) => ({ words, page: 1, row: null }));
  whenTyped($("host-search"), (hosts) => ({ hosts, hostpage: 1 }));
  for (const id of ["skip", "to-links"]) {
    $(id).addEventListener("click", (event) => {
      // The fragment is the state, so the link must not change it.
      event.preventDefault();
      const target = $("links").hidden ? $("no-rows") : $("links");
      target.scrollIntoView();
      target.focus({ preventScroll: true });
    });
  }
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") $("to-links").click();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      $("tip").hidden = true;
      if (event.target === $("host-search") && event.target.value) change({ hosts: "", hostpage: 1 });
      else stepBack();
    } else if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest("input, select")) {
      event.preventDefault();
      $("search").focus();
    }
  });
  $("sort").addEventListener("change", () => change({ sort: $("sort").value, down: startsDown($("sort").value), page: 1 }));
  $("direction").addEventListener("click", () => change({ down: !state.down, page: 1 }));
  $("fold").addEventListener("click", () => change({ each: !state.each, page: 1 }));
  $("charts").addEventListener("click", () => change({ charts: !state.charts }));
  $("export").addEventListener("click", () => exportCsv(drawn.list));
  $("show-all").addEventListener("click", clearFilters);
  addEventListener("hashchange", drawAddress);
  let width = document.body.clientWidth;
  addEventListener("resize", () => {
    if (width === document.body.clientWidth) return;
    width = document.body.clientWidth;
    drawTime(drawn.picture);
  });
}

if (links.length === 0) {
  $("title").textContent = document.title = TITLE;
  $("nothing").hidden = false;
  $("nothing-read").textContent = `${plural(about.files, "file")} with ${plural(about.messages, "message")} ${about.files === 1 ? "was" : "were"} searched, and no URL was printed.`;
} else {
  $("some").hidden = false;
  drawTotals();
  drawColumns();
  listenToPage();
  drawAddress();
}
document.body.dataset.drawn = links.length;
