// The list of matches: which, in which order.

// So many rows are drawn at first, and with each click on "More".
const ROWS = 200
// A longer URL is cut in the list.
const LONGEST_CELL = 300

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

// What the list keeps of a match. The rest is in the bytes of its line, of which a batch has many.
function itemOf(batch, begin, end) {
  const item = { batch, begin, end }
  const { line, more } = parsed(item)
  const { role, form, grade, start, message } = line
  const url = textOf(line.url)
  return Object.assign(item, {
    url, href: textOf(more.href) === url ? undefined : textOf(more.href), role, form, grade, start, line: line.line, joined: line.join !== null,
    warnings: line.warnings.join(', '), path: textOf(line.path), subject: message?.subject ?? message?.uri ?? '', from: message?.from ?? '',
    date: message?.date ?? '',
  })
}

// What was written of a match.
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

const COLUMNS = [
  { key: 'number', title: '#' },
  { key: 'url', title: 'URL' },
  { key: 'role', title: 'Role', says: 'What it is to a reader', files: true },
  { key: 'form', title: 'Form', says: 'What delimits it in the text' },
  { key: 'grade', title: 'Grade', says: 'How well formed it is' },
  { key: 'path', title: 'File', files: true },
  { key: 'line', title: 'Line' },
  { key: 'subject', title: 'Subject', files: true },
  { key: 'from', title: 'From', files: true },
  { key: 'date', title: 'Date', files: true },
  { key: 'warnings', title: 'Warnings' },
]

// A column that would have the same value everywhere says nothing.
function columns() {
  const [first] = state.items
  return COLUMNS.filter(({ key, files }) => !files || state.items.some((item) => item[key] !== first[key]))
}

function drawColumns() {
  const cells = columns().map(({ key, title, says = '' }) => {
    const button = element('button', { type: 'button', title: says }, title)
    button.addEventListener('click', () => sortBy(key))
    const cell = element('th', { scope: 'col' }, button)
    cell.dataset.key = key
    if (state.sort === key) {
      cell.setAttribute('aria-sort', state.down ? 'descending' : 'ascending')
      button.append(element('span', { ariaHidden: 'true' }, state.down ? ' ▼' : ' ▲'))
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
  document.querySelector(`th[data-key=${key}] button`).focus()
}

// What the list is asked for.
const wanted = () => ({ url: at('search').value.toLowerCase(), form: at('form').value, roles: Object.keys(ROLES).filter((role) => !state.hidden.has(role)) })

// The numbers of the items that are wanted, in the order of the list.
function listed() {
  const { url, form, roles } = wanted()
  const { items, sort } = state
  const numbers = []
  items.forEach((item, i) => {
    if ((form === '' || item.form === form) && roles.includes(item.role) && (url === '' || item.url.toLowerCase().includes(url))) numbers.push(i)
  })
  if (sort !== 'number') {
    const key = sort === 'date' ? (i) => Date.parse(items[i].date) || 0 : (i) => items[i][sort]
    const keys = new Map(numbers.map((i) => [i, key(i)]))
    numbers.sort((a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : a - b))
  }
  return state.down ? numbers.reverse() : numbers
}

function drawRows(rows = ROWS) {
  const numbers = listed()
  const shown = columns()
  at('rows').replaceChildren(...numbers.slice(0, rows).map((i) => rowOf(i, shown)))
  at('more').hidden = numbers.length <= rows
  at('more').onclick = () => drawRows(rows + ROWS)
  at('cut').textContent = numbers.length > rows ? `${number(rows)} of ${number(numbers.length)} are drawn; the downloads have all.` : ''
  for (const id of ['copy', 'json', 'csv']) at(id).disabled = numbers.length === 0 || state.searching
}

function rowOf(i, shown) {
  const item = state.items[i]
  const row = element('tr', {}, ...shown.map(({ key }) => cellOf(i, item, key)))
  return numbered(row, i)
}

function cellOf(i, item, key) {
  if (key === 'number') return element('td', { className: 'number' }, String(i + 1))
  if (key !== 'url') return element('td', { className: key }, ...visible(clipped(String(item[key] ?? ''), 120)))
  const button = element('button', { type: 'button' }, ...visible(clipped(item.url, LONGEST_CELL)))
  button.addEventListener('click', () => {
    choose(i, true)
    at('why').scrollIntoView({ block: 'nearest' })
  })
  return element('td', { className: 'url' }, button)
}

function drawForms() {
  const { value } = at('form')
  const forms = [...new Set(state.items.map((item) => item.form))].sort()
  at('form').replaceChildren(element('option', { value: '' }, 'all'), ...forms.map((form) => element('option', { value: form }, form)))
  at('form').value = forms.includes(value) ? value : ''
}

// A switch for each role that there is, with the number of its matches; none if there is only one.
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
