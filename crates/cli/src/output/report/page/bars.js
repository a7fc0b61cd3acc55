// What is chosen with buttons: roles, schemes, hosts, URLs, senders, grades, joins, and links
// without a date.

// A button that chooses a value.
function chooser(kind, value, ...content) {
  return makeButton({ "aria-pressed": state.filters.get(kind) === value }, () => toggle(kind, value), ...content);
}

// The number of schemes without a colour that are listed.
const MORE_SCHEMES = 12;

// What the colours of the chart stand for. All domains are in their panel; schemes have none.
function drawLegend(all, kind) {
  const colours = coloursNow();
  const drawn = all.filter(([value]) => colours.has(value));
  const rest = all.filter(([value]) => !colours.has(value));
  const most = kind === "scheme" ? MORE_SCHEMES : 0;
  const items = [...drawn, ...rest.slice(0, most)].map(([value, n]) => {
    const colour = make("i", {});
    colour.style.background = colourOf(value);
    return make("li", {}, chooser(kind, value, colour, make("b", {}, value), " ", make("span", {}, number(n))));
  });
  if (rest.length > most) items.push(make("li", { class: "note" }, `and ${number(rest.length - most)} more`));
  $("parts").replaceChildren(...items);
}

// Draws the charts of time and what belongs to them, unless they say nothing.
function drawTimes({ counts, picture }) {
  const { kind } = common.division;
  const hasChart = charts().length > 0;
  drawTime(picture);
  drawLegend(hasParts() && (hasChart || kind === "scheme") ? ranked(counts[kind]).filter(([value]) => value !== null && value !== undefined) : [], kind);
  drawUndated(picture, hasChart);
  $("time-section").hidden = !hasChart && $("parts").childElementCount === 0 && $("undated").hidden;
}

// The switches of the roles, each with the number of its links that pass the filters.
function drawRoles(counts) {
  const shown = OCCURRING.filter((role) => state.roles.has(role));
  const switches = OCCURRING.map((role) => {
    const n = make("span", {}, number(counts.get(role) ?? 0));
    return makeButton({ "aria-pressed": state.roles.has(role) }, () => toggleRole(role), ROLES[role], " ", n);
  });
  const isAll = shown.length === OCCURRING.length;
  const all = () => change({ roles: new Set(isAll ? FIRST_ROLES : OCCURRING), page: 1, row: null });
  if (FIRST_ROLES.length < OCCURRING.length) switches.push(makeButton({ "aria-pressed": isAll }, all, "All"));
  $("roles").replaceChildren(...switches);
  $("roles-row").hidden = OCCURRING.length < 2;
}

// Bars for values and counts; `name` makes an element of a value. One within another has a kind
// of its own.
function drawBars(id, kind, values, name, most, share) {
  const bars = values.map(([value, n, within]) => {
    const bar = make("i", {});
    bar.style.width = `${(100 * n) / most}%`;
    bar.hidden = n === 0;
    const content = [bar, within ? label(value) : name(value), " ", make("span", {}, share(n))];
    return make("li", within ? { class: "within" } : {}, chooser(within ?? kind, value, ...content));
  });
  $(id).replaceChildren(...bars);
}

// A name, and what it stands for.
const label = (name, below) => make("span", {}, make("b", {}, name), ...(below ? [make("small", {}, below)] : []));

// Bars for the values of a kind that has few, in the order of their names. A link has one of them,
// unless they have no shares.
function drawFew(id, kind, counts, names, occurring, hasShares = true) {
  const places = Object.keys(names);
  const values = [...occurring].sort((a, b) => places.indexOf(a) - places.indexOf(b)).map((value) => [value, counts.get(value) ?? 0]);
  const all = sum(counts.values());
  drawBars(id, kind, values, (value) => label(nameOf(names, value)), all || 1, (n) => (hasShares ? `${number(n)} \u00b7 ${percent(n, all)}` : number(n)));
}

// A page of bars of the most frequent values. `name` makes an element of a value.
function drawMost({ id, kind, page: pageName, size, name }, all, wanted = all) {
  const pages = Math.max(1, Math.ceil(wanted.length / size));
  const page = Math.min(state[pageName], pages);
  const shown = wanted.slice((page - 1) * size, page * size);
  drawBars(id, kind, shown, name, all[0]?.[1] ?? 1, number);
  drawPages(`${pageName}s`, page, pages, (page) => change({ [pageName]: page }));
}

// The domain of each host.
const DOMAINS = new Map(links.filter(({ host }) => isHost(host)).map(({ host, domain }) => [host, domain]));

// The hosts of each domain with their counts, the most frequent first.
function hostsByDomain(counts) {
  const hosts = new Map();
  for (const [host, n] of ranked(counts).filter(([host]) => isHost(host))) {
    const domain = DOMAINS.get(host);
    if (!hosts.has(domain)) hosts.set(domain, []);
    hosts.get(domain).push([host, n, "host"]);
  }
  return hosts;
}

// The domains, and the hosts of the one that is chosen, or that is alone. A part of a name may be in
// a domain or in a host.
function drawHosts(counts) {
  const all = ranked(counts.domain).filter(([domain]) => isHost(domain));
  const hosts = hostsByDomain(counts.host);
  const part = state.hosts.toLowerCase();
  const alone = all.length === 1 ? all[0][0] : undefined;
  const open = state.filters.get("domain") ?? DOMAINS.get(state.filters.get("host")) ?? alone;
  const within = (domain) => {
    if (!domain.includes(part)) return hosts.get(domain).filter(([host]) => host.includes(part));
    return domain === open && hosts.get(domain).length > 1 ? hosts.get(domain) : [];
  };
  const found = all.map((row) => [row, within(row[0])]).filter(([[domain], hosts]) => domain.includes(part) || hosts.length > 0);
  const name = (domain) => label(domain, hosts.get(domain).length > 1 ? ` ${plural(hosts.get(domain).length, "host")}` : "");
  drawMost({ id: "hosts", kind: "domain", page: "hostpage", size: 12, name }, all, found.flatMap(([row, hosts]) => [row, ...hosts]));
  const none = all.length === 0 ? "No domain" : `None of ${plural(all.length, "domain")} has this in its name.`;
  const some = part ? `${number(found.length)} of ${plural(all.length, "domain")}` : plural(all.length, "domain");
  $("hosts-count").textContent = found.length > 0 ? some : none;
  $("hosts-section").hidden = !common.hasHosts;
}

// The text that links of a URL have.
const TEXTS = new Map();
for (const { url, text } of links) if (text && !TEXTS.has(url) && text.trim() !== url) TEXTS.set(url, text);

// The URLs that occur more than once.
function drawUrls(counts) {
  const all = ranked([...counts].filter(([url, n]) => n > 1 || state.filters.get("url") === url));
  const name = (url) => (TEXTS.has(url) ? label(clip(TEXTS.get(url)), clip(url)) : label(clip(url)));
  drawMost({ id: "urls", kind: "url", page: "urlpage", size: 8, name }, all);
  $("urls-count").textContent = all.length > 0 ? `${plural(all.length, "URL")} of more than one link` : "No URL occurs twice.";
  $("urls-section").hidden = !common.hasRepeated;
}

function drawSenders(counts) {
  const all = ranked(counts).filter(([sender]) => sender !== null);
  const name = (sender) => (senderNames.has(sender) ? label(senderNames.get(sender), sender) : label(sender));
  drawMost({ id: "senders", kind: "from", page: "frompage", size: 8, name }, all);
  $("senders-count").textContent = plural(all.length, "sender");
  $("senders-section").hidden = !common.hasSenders;
}

// First, previous, next and last page, if there are several.
function drawPages(id, page, pages, turn) {
  const focused = $(id).contains(document.activeElement) ? document.activeElement.textContent : "";
  const button = (name, to) => {
    const button = makeButton({}, () => turn(to), name);
    button.disabled = to === page;
    return button;
  };
  const where = make("span", {}, `Page ${number(page)} of ${number(pages)}`);
  const [previous, next] = [Math.max(1, page - 1), Math.min(pages, page + 1)];
  $(id).replaceChildren(button("First", 1), button("Previous", previous), where, button("Next", next), button("Last", pages));
  $(id).hidden = pages === 1;
  if (focused) [...$(id).querySelectorAll("button:enabled")].sort((a, b) => (b.textContent === focused) - (a.textContent === focused))[0]?.focus();
}

const UNDATED = {
  [NO_MESSAGE]: "in files that are not mail or news, and so have no date",
  [NO_DATE]: "in messages that have no date, or one that cannot be read",
  [ODD_DATE]: `in messages dated before ${FIRST_YEAR}, when there were no URLs: a clock was wrong`,
  [FUTURE]: `in messages dated after this report (${new Date(MADE).toISOString().slice(0, 10)}): a clock was wrong`,
};

// The links that are in no chart of time, and why. One reason for all links says nothing.
function drawUndated(picture, hasChart) {
  const all = sum([...picture.values()].flatMap((counts) => [...counts.values()]));
  const counts = Object.keys(UNDATED).map((day) => [day, sum((picture.get(day) ?? new Map()).values())]);
  const items = counts.filter(([, n]) => n > 0).map(([day, n]) => make("li", {}, chooser("time", day, number(n)), ` ${UNDATED[day]}`));
  const n = sum(counts.map(([, n]) => n));
  $("undated").hidden = items.length === 0 || (items.length === 1 && n === all);
  $("undated-title").textContent =
    !hasChart
      ? `${number(n)} of ${plural(all, "link")} have no date, or one that cannot be right. They are`
      : `${number(n)} of ${plural(all, "link")} are not in the chart: they have no date, or one that cannot be right. They are`;
  $("undated-links").replaceChildren(...items);
}

const GRADES = {
  draft1994: "draft1994: conforms to the draft of 1994",
  rfc1738: "rfc1738: conforms to RFC 1738",
  rfc3986: "rfc3986: conforms to RFC 3986",
  lenient: "lenient: plausible to a reader",
};
const JOINS = {
  none: "on one line",
  delimited: "rejoined between delimiters",
  flowed: "rejoined at soft line breaks of mail",
  guess: "rejoined by --join likely",
};

function drawPanels({ counts }) {
  drawHosts(counts);
  drawUrls(counts.url);
  drawSenders(counts.from);
  drawFew("grades", "grade", counts.grade, GRADES, common.grades);
  drawFew("joins", "join", counts.join, JOINS, common.joins);
  // One value of all links says nothing. Most links have no warning.
  $("grades-section").hidden = common.grades.size < 2;
  $("joins-section").hidden = common.joins.size < 2;
  drawFew("warnings", "warning", counts.warning, about.warnings, common.warnings, false);
  $("warnings-section").hidden = common.warnings.size === 0;
  $("panels").hidden = [...$("panels").children].every((panel) => panel.hidden);
  const all = sum(counts.join.values());
  const rejoined = all - (counts.join.get("none") ?? 0);
  $("rejoined").replaceChildren(make("b", {}, percent(rejoined, all)), ` of the links were broken over lines: ${number(rejoined)}.`);
}
