// The list of matches: selects and sorts them.

// The number of rows drawn at first, and with each click on "More".
const ROWS = 200
// A longer URL is shortened in the list.
const LONGEST_CELL = 300

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

// The values of a match that the list keeps. The others are in the bytes of its line, in a batch with many lines.
function itemOf(batch, begin, end) {
  const item = { batch, begin, end }
  const { line, more } = parsed(item)
  const { role, form, grade, start, host, message } = line
  const url = textOf(line.url)
  return Object.assign(item, {
    url, href: textOf(more.href) === url ? undefined : textOf(more.href), role, form, grade, start, host: host ?? '', line: line.line, joined: line.join !== null,
    warnings: more.warnings.join('; '), path: textOf(line.path), subject: message?.subject ?? message?.uri ?? '', from: message?.from ?? '',
    date: message?.date ?? '',
  })
}

// The line that was printed for a match.
function parsed({ batch, begin, end }) {
  const [line, more] = JSON.parse(decoder.decode(batch.subarray(begin, end)))
  return { line, more }
}

// The items of a batch: one for each line.
function itemsOf(batch) {
  const items = []
  let begin = 0
  for (let end = batch.indexOf(10); end >= 0; end = batch.indexOf(10, begin)) {
    items.push(itemOf(batch, begin, end))
    begin = end + 1
  }
  return items
}

// Columns, each with the values of one subject, so that all fit next to the explanation of a match. `some` columns are shown if their
// values differ between matches, `any` columns if one match has a value.
const COLUMNS = [
  { name: 'number', keys: [{ key: 'number', title: '#' }] },
  { name: 'times', keys: [{ key: 'times', title: 'Times' }] },
  { name: 'found', keys: [{ key: 'url', title: 'URL' }, { key: 'warnings', title: 'Warnings', any: true }] },
  {
    name: 'kind',
    keys: [
      { key: 'role', title: 'Role', says: 'What it is to a reader', some: true }, { key: 'form', title: 'Form', says: 'What delimits it in the text' },
      { key: 'grade', title: 'Grade', says: 'How well formed it is' },
    ],
  },
  { name: 'place', keys: [{ key: 'path', title: 'File', some: true }, { key: 'line', title: 'Line' }] },
  { name: 'message', keys: [{ key: 'subject', title: 'Subject', some: true }, { key: 'from', title: 'From', some: true }, { key: 'date', title: 'Date', some: true }] },
]

function isShown({ key, some, any }) {
  const [first] = state.items
  if (key === 'times') return state.once
  return !(some || any) || state.items.some((item) => (any ? item[key] !== '' : item[key] !== first[key]))
}

const columns = () => COLUMNS.map(({ name, keys }) => ({ name, keys: keys.filter(isShown) })).filter(({ keys }) => keys.length > 0)

function drawColumns() {
  const cells = columns().map(({ name, keys }) => {
    const cell = element('th', { scope: 'col', className: name })
    for (const { key, title, says = '' } of keys) {
      const button = element('button', { type: 'button', title: says }, title)
      button.dataset.key = key
      button.addEventListener('click', () => sortBy(key))
      cell.append(button)
      if (state.sort === key) {
        cell.setAttribute('aria-sort', state.down ? 'descending' : 'ascending')
        button.append(element('span', { ariaHidden: 'true' }, state.down ? ' ▼' : ' ▲'))
      }
    }
    return cell
  })
  at('columns').replaceChildren(...cells)
}

function sortBy(key) {
  state.down = state.sort === key && !state.down
  state.sort = key
  drawColumns()
  drawRows()
  document.querySelector(`th [data-key=${key}]`).focus()
}

// The settings of the list.
const wanted = () => ({
  url: at('search').value.toLowerCase(), form: at('form').value, host: state.host, roles: Object.keys(ROLES).filter((role) => !state.hidden.has(role)),
})

// The numbers of the selected items, in the order of the list; the number of matches of each URL, if each is listed once; and the hosts
// that the list would contain if none was chosen.
function listed() {
  const { url, form, host, roles } = wanted()
  const { items, once } = state
  const all = []
  const times = new Map()
  items.forEach((item, i) => {
    if (form !== '' && item.form !== form || !roles.includes(item.role) || url !== '' && !item.url.toLowerCase().includes(url)) return
    const before = times.get(item.url) ?? 0
    if (once) times.set(item.url, before + 1)
    if (before === 0) all.push(i)
  })
  const hosts = hostsOf(all)
  const numbers = sorted(host === undefined ? all : all.filter((i) => items[i].host === host), times)
  return { numbers, times, hosts }
}

function sorted(numbers, times) {
  const { items, sort, down } = state
  if (sort !== 'number') {
    const keyOf = { times: (i) => times.get(items[i].url), date: (i) => Date.parse(items[i].date) || 0 }[sort] ?? ((i) => items[i][sort])
    const keys = new Map(numbers.map((i) => [i, keyOf(i)]))
    numbers.sort((a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : a - b))
  }
  return down ? numbers.reverse() : numbers
}

function drawRows(rows = ROWS) {
  const { numbers, times, hosts } = listed()
  const shown = columns()
  drawHosts(hosts)
  at('rows').replaceChildren(...numbers.slice(0, rows).map((i) => rowOf(i, shown, times)))
  at('more').hidden = numbers.length <= rows
  at('more').onclick = () => drawRows(rows + ROWS)
  at('cut').textContent = [
    numbers.length > rows && `${number(rows)} of ${number(numbers.length)} are drawn; the downloads have all.`,
    state.once && `${counted(numbers.length, 'URL')}, each once; the downloads have each place.`,
  ].filter(Boolean).join(' ')
  for (const id of ['copy', 'json', 'csv']) at(id).disabled = numbers.length === 0 || state.searching
}

function rowOf(i, shown, times) {
  const item = state.items[i]
  const values = { ...item, number: i + 1, times: times.get(item.url), date: item.date.slice(0, 16).replace('T', ' ') }
  const cells = shown.map(({ name, keys }) => element('td', { className: name }, ...keys.flatMap(({ key }) => [valueOf(i, key, values[key]), ' '])))
  return numbered(element('tr', {}, ...cells), i)
}

function valueOf(i, key, value) {
  if (key !== 'url') return element('div', { className: key }, ...visible(clipped(String(value ?? ''), 120)))
  const button = element('button', { type: 'button' }, ...visible(clipped(value, LONGEST_CELL)))
  button.addEventListener('click', () => {
    choose(i, true)
    at('why').scrollIntoView({ block: 'nearest' })
  })
  return element('div', { className: 'url' }, button)
}

function drawForms() {
  const { value } = at('form')
  const forms = [...new Set(state.items.map((item) => item.form))].sort()
  at('form').replaceChildren(element('option', { value: '' }, 'all'), ...forms.map((form) => element('option', { value: form }, form)))
  at('form').value = forms.includes(value) ? value : ''
}

// A switch for each role that occurs, with the number of its matches; no switch if only one role occurs.
function drawRoles() {
  const count = (role) => state.counts[Object.keys(ROLES).indexOf(role)] ?? 0
  const roles = Object.keys(ROLES).filter(count)
  at('roles').hidden = roles.length < 2
  at('roles').replaceChildren(element('legend', {}, 'Roles'), ...roles.map((role) => {
    const input = element('input', { type: 'checkbox', checked: !state.hidden.has(role) })
    input.addEventListener('change', () => {
      state.hidden[input.checked ? 'delete' : 'add'](role)
      keepOptions()
      drawRows()
    })
    return element('label', { title: ROLES[role] }, input, element('span', {}, `${role} (${number(count(role))})`))
  }))
}
