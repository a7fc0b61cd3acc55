'use strict'
// The page: a text, its URLs, and why they are URLs. All text is put into the page as text, never as markup, and characters that
// nobody sees or that turn the text around are shown by their numbers.

const { Finder } = urlgrep

// No more of a text is drawn; the list and the downloads have all matches.
const DRAWN = { text: 300000, matches: 3000, rows: 1000 }

const EXAMPLES = {
  'Appendix of RFC 1738': `Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
type=d> but you can probably pick it up from <URL:ftp://ds.in
ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
net/instructions/overview.html#WARNING>.
`,
  'Quoted reply': `On Monday Ann wrote:
> The slides are at <http://www.example.org/talks/1994/long-
> names/slides.html>, and the paper is in
> "http://www.example.org/papers/
> context.ps".
I read http://www.example.org/a_(draft), too (and
http://user:secret@example.org:25/x). Write to me@example.org or see
www.example.org/home.
`,
  Log: `10:02:11 GET "https://example.org/search?q=a&page=2" 200
10:02:12 {"url":"https:\\/\\/example.org\\/a\\u0026b","ms":12}
10:02:13 referer=http://example.com/~joe/{id}; agent=Mozilla/5.0
10:02:14 blocked hxxps://evil[.]example[.]net/payload (defanged)
`,
}

const SWITCHES = [
  ['hosts', 'Hosts without a scheme: www.example.org'],
  ['addresses', 'Mail addresses'],
  ['refang', 'Defanged URLs: hxxp://h[.]org'],
  ['cells', 'Commas separate cells, as in CSV'],
]
const CHOICES = [
  ['join', 'Join lines', [['delimited', 'between delimiters'], ['none', 'never'], ['likely', 'also where it is likely']]],
  ['hyphen', 'Hyphen at a line end', [['keep', 'keep it'], ['drop', 'drop it'], ['both', 'both readings']]],
  ['iri', 'Letters beyond ASCII', [['words', 'where words have spaces'], ['all', 'all (UTS #58)'], ['ascii', 'none']]],
  ['grade', 'Grade at least', [['lenient', 'any'], ['rfc3986', 'RFC 3986'], ['rfc1738', 'RFC 1738']]],
]

const FORMS = {
  wrapper: ['in a wrapper <URL:…>, as the Appendix of RFC 1738 recommends', 'after <URL:', 'before the > that closes the wrapper'],
  angle: ['in angle brackets', 'after <', 'before the >'],
  quote: ['in quotation marks', 'after the quotation mark', 'before the next quotation mark'],
  paren: ['in brackets that it fills', 'after the bracket', 'before the bracket that closes it'],
  prefixed: ['after URL:, without delimiters', 'after URL:', null],
  bare: ['in the text, without delimiters', null, null],
  defanged: ['defanged: written so that no program opens it', null, null],
}
const GRADES = {
  rfc1738: 'RFC 1738: well formed by its grammar',
  draft1994: 'well formed by the draft of 1994',
  rfc3986: 'RFC 3986: well formed by the later grammar, not by RFC 1738',
  lenient: 'lenient: plausible, but well formed by neither grammar',
}
const JOINS = { delimited: 'Its delimiters say that the lines belong together.', flowed: 'The text is flowed.', guess: 'Nothing but the look of the lines says that they belong together: this is a guess.' }
const WARNINGS = {
  password: 'It has a password. "The use of URLs containing passwords that should be secret is clearly unwise." (RFC 1738, 6)',
  port: 'Its port is that of another service, or no port.',
  control: 'It has an encoded line end, which could be a command of its own.',
  userinfo: 'The name before the @ looks like a host; the host is what follows the @.',
}

const at = (id) => document.getElementById(id)

// An element with properties and children; strings become text.
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

// What nobody sees, or what turns the direction of text.
const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu

// The text as nodes, with the numbers of what is odd in it.
function visible(text) {
  const nodes = []
  let from = 0
  for (const { 0: odd, index } of text.matchAll(ODD)) {
    // Two bytes end a line in many texts.
    if (odd === '\r' && text[index + 1] === '\n') continue
    const name = `U+${odd.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`
    nodes.push(text.slice(from, index), element('span', { className: 'odd' }, name))
    from = index + odd.length
  }
  nodes.push(text.slice(from))
  return nodes
}

// The same as a string, for names that are read aloud.
const spoken = (text) => element('span', {}, ...visible(text)).textContent

const code = (text) => element('code', {}, ...visible(text))

const state = { options: {}, matches: [], chosen: -1, sort: 'start', down: false }

// The options that differ from the defaults, as the finder wants them.
const optionsWith = (changes) => Object.fromEntries(Object.entries({ ...state.options, ...changes }).filter(([, value]) => value))

function search(text, options) {
  const finder = new Finder({ ...options, explain: true, lineNumbers: true })
  try {
    return finder.findAll(text)
  } finally {
    finder.free()
  }
}

// Draws the text with its URLs.
function drawText(text, matches) {
  const parts = []
  let from = 0
  const plain = (to) => {
    if (to > from) parts.push(...visible(text.slice(from, to)))
    from = Math.max(from, to)
  }
  matches.slice(0, DRAWN.matches).forEach((match, number) => {
    // Of two readings the first is drawn.
    if (match.start < from || match.end > DRAWN.text) return
    plain(match.start)
    match.segments.forEach(([start, end], piece) => {
      between(parts, text.slice(from, start), number)
      parts.push(pieceOf(text.slice(start, end), match, number, piece))
      from = end
    })
    between(parts, text.slice(from, match.end), number)
    from = match.end
  })
  plain(Math.min(text.length, DRAWN.text))
  if (text.length > from) parts.push(element('p', { className: 'hint' }, `The first ${from} characters are drawn.`))
  at('marked').replaceChildren(...parts)
}

// Delimiters, line ends and what else is not the URL.
function between(parts, text, number) {
  if (text === '') return
  const span = element('span', { className: 'around' }, ...visible(text))
  span.dataset.number = number
  parts.push(span)
}

function pieceOf(text, match, number, piece) {
  const mark = element('mark', { className: 'piece' }, ...visible(text))
  mark.dataset.number = number
  // One stop of the keyboard for each URL.
  if (piece === 0) {
    mark.tabIndex = 0
    mark.setAttribute('role', 'button')
    mark.setAttribute('aria-pressed', 'false')
    mark.setAttribute('aria-label', `URL ${number + 1}: ${spoken(match.url)}`)
  }
  return mark
}

// Why the match starts and ends there, as two sentences.
function reasonsOf(match) {
  const [, start, end] = FORMS[match.form] ?? FORMS.bare
  const scheme = match.hasScheme ? `where its scheme does: ${match.scheme}` : `where the ${match.scheme === 'mailto' ? 'address' : 'host'} does; its scheme, ${match.scheme}, is implied`
  const trimmed = match.ending?.trimmed
  const stop = match.ending ? `before ${match.ending.stop}` : 'where the rules for its notation end it'
  const marks = trimmed ? `, without the ${trimmed} ${trimmed === 1 ? 'mark' : 'marks'} that end the sentence` : ''
  return [`It starts ${start ?? scheme}.`, `It ends ${end ?? stop + marks}.`]
}

function drawDetails(match) {
  const list = element('dl')
  const row = (name, ...values) => list.append(element('dt', {}, name), element('dd', {}, ...values))
  const items = (kind, all) => element(kind, {}, ...all.map((item) => element('li', {}, item)))
  row('Form', `${match.form}: ${(FORMS[match.form] ?? FORMS.bare)[0]}`)
  row('Why there', items('ul', reasonsOf(match)))
  if (match.href !== match.url) row('Whole URL', code(match.href))
  drawPieces(match, row, items)
  row('Grade', GRADES[match.grade])
  if (match.reason) row('Why not better', element('span', {}, 'production ', code(match.reason.production), `, at character ${match.reason.offset + 1}: `, ...visible(match.reason.message)))
  if (match.alternatives.length > 0) row('Other readings, likeliest first', items('ol', match.alternatives.map(code)))
  for (const warning of match.warnings) row('Warning', element('span', { className: 'warning' }, WARNINGS[warning] ?? warning))
  row('Place', `line ${match.line}, column ${match.column}; characters ${match.start} to ${match.end}`)
  const copy = element('button', { type: 'button' }, 'Copy URL')
  copy.addEventListener('click', () => copyText(match.href, copy))
  at('details').replaceChildren(element('p', { className: 'url' }, ...visible(match.url)), list, element('p', { className: 'row' }, copy))
}

function drawPieces(match, row, items) {
  const text = at('text').value
  const pieces = match.segments.map(([start, end]) => element('span', {}, code(text.slice(start, end)), ` at ${start}`))
  if (pieces.length > 1) row(`${pieces.length} pieces`, items('ol', pieces))
  if (match.join) row('Joined', `${JOINS[match.join] ?? match.join}${match.guess ? ` Rule ${match.guess}.` : ''}`)
  const written = match.segments.map(([start, end]) => text.slice(start, end)).join('')
  if (written !== match.url) row('Decoded', 'the text writes it otherwise: ', code(written))
}

// Marks the match in the text and in the list, and says why.
function choose(number, scroll) {
  state.chosen = number
  for (const old of document.querySelectorAll('.chosen')) old.classList.remove('chosen')
  for (const old of document.querySelectorAll('[aria-pressed=true]')) old.setAttribute('aria-pressed', 'false')
  const all = document.querySelectorAll(`[data-number="${number}"]`)
  for (const one of all) {
    one.classList.add('chosen')
    if (one.hasAttribute('aria-pressed')) one.setAttribute('aria-pressed', 'true')
    if (scroll && one.classList.contains('piece')) one.scrollIntoView({ block: 'nearest' })
  }
  const match = state.matches[number]
  if (match) drawDetails(match)
  else at('details').replaceChildren(element('p', { className: 'hint' }, 'Choose a URL in the text or in the list.'))
}

const COLUMNS = [['start', '#'], ['url', 'URL'], ['form', 'Form'], ['grade', 'Grade'], ['line', 'Line'], ['warnings', 'Warnings']]

function drawColumns() {
  const cells = COLUMNS.map(([key, title]) => {
    const button = element('button', { type: 'button' }, title)
    button.addEventListener('click', () => {
      state.down = state.sort === key && !state.down
      state.sort = key
      drawColumns()
      drawRows()
      at('columns').children[COLUMNS.findIndex(([name]) => name === key)].firstChild.focus()
    })
    const cell = element('th', { scope: 'col' }, button)
    if (state.sort === key) {
      cell.setAttribute('aria-sort', state.down ? 'descending' : 'ascending')
      button.append(element('span', { ariaHidden: 'true' }, state.down ? ' ▼' : ' ▲'))
    }
    return cell
  })
  at('columns').replaceChildren(...cells)
}

// The numbers of the matches that the search and the form let through, in the order of the list.
function listed() {
  const wanted = at('search').value.toLowerCase()
  const form = at('form').value
  const { matches, sort } = state
  const numbers = matches.map((_, number) => number).filter((number) => {
    const match = matches[number]
    return (form === '' || match.form === form) && match.url.toLowerCase().includes(wanted)
  })
  const keys = new Map(numbers.map((number) => [number, sort === 'warnings' ? matches[number].warnings.join() : matches[number][sort]]))
  numbers.sort((a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : a - b))
  return state.down ? numbers.reverse() : numbers
}

function drawRows() {
  const numbers = listed()
  at('rows').replaceChildren(...numbers.slice(0, DRAWN.rows).map((number) => {
    const match = state.matches[number]
    const button = element('button', { type: 'button' }, ...visible(match.url))
    button.addEventListener('click', () => {
      choose(number, true)
      at('why').scrollIntoView({ block: 'nearest' })
    })
    const cells = [String(number + 1), button, match.form, match.grade, String(match.line), match.warnings.join(', ')]
    const row = element('tr', {}, ...cells.map((cell, i) => element('td', { className: i === 1 ? 'url' : '' }, cell)))
    row.dataset.number = number
    row.classList.toggle('chosen', number === state.chosen)
    return row
  }))
  at('cut').textContent = numbers.length > DRAWN.rows ? `The list has the first ${DRAWN.rows} of ${numbers.length}; the downloads have all.` : ''
  for (const id of ['copy', 'json', 'csv']) at(id).disabled = numbers.length === 0
}

function drawForms() {
  const { value } = at('form')
  const forms = [...new Set(state.matches.map((match) => match.form))].sort()
  at('form').replaceChildren(element('option', { value: '' }, 'all'), ...forms.map((form) => element('option', { value: form }, form)))
  at('form').value = forms.includes(value) ? value : ''
}

function optionElements() {
  const switches = SWITCHES.map(([name, title]) => {
    const input = element('input', { type: 'checkbox', checked: Boolean(state.options[name]) })
    input.addEventListener('change', () => setOption(name, input.checked))
    return labelled(name, input, title)
  })
  const choices = CHOICES.map(([name, title, values]) => {
    const select = element('select', {}, ...values.map(([value, text]) => element('option', { value }, text)))
    select.value = state.options[name] ?? values[0][0]
    select.addEventListener('change', () => setOption(name, select.value === values[0][0] ? undefined : select.value))
    return labelled(name, title, select)
  })
  return [...switches, ...choices]
}

function labelled(name, ...parts) {
  const output = element('output')
  output.dataset.option = name
  return element('label', {}, ...parts.map((part) => (typeof part === 'string' ? element('span', {}, part) : part)), output)
}

function setOption(name, value) {
  state.options = optionsWith({ [name]: value })
  keepOptions()
  update()
}

// The options are in the address, the text is not.
function keepOptions() {
  const hash = new URLSearchParams(state.options).toString()
  try {
    history.replaceState(null, '', `#${hash}`)
  } catch {
    // Some browsers have no history for files.
  }
}

function readOptions() {
  const wanted = new URLSearchParams(location.hash.slice(1))
  for (const [name] of SWITCHES) if (wanted.get(name) === 'true') state.options[name] = true
  for (const [name, , values] of CHOICES) if (values.some(([value]) => value === wanted.get(name))) state.options[name] = wanted.get(name)
}

// How many matches a switch adds or removes, which is worth a search only of a short text.
const SHORT = 200000

function drawDifferences(text) {
  const keys = (matches) => new Set(matches.map((match) => `${match.start} ${match.url}`))
  const now = keys(state.matches)
  for (const [name] of SWITCHES) {
    const output = document.querySelector(`output[data-option="${name}"]`)
    const other = text.length > SHORT ? now : keys(search(text, optionsWith({ [name]: !state.options[name] })))
    const [more, less] = state.options[name] ? [now, other] : [other, now]
    const added = [...more].filter((key) => !less.has(key)).length
    const removed = [...less].filter((key) => !more.has(key)).length
    output.textContent = text === '' || text.length > SHORT ? '' : [added && `+${added}`, removed && `−${removed}`].filter(Boolean).join(' ') || '±0'
  }
  const count = Object.keys(state.options).length
  at('options-changed').textContent = count === 0 ? '' : `(${count} changed)`
}

function update() {
  const text = at('text').value
  state.matches = search(text, optionsWith({}))
  drawText(text, state.matches)
  drawForms()
  drawRows()
  drawDifferences(text)
  const count = state.matches.length
  const joined = state.matches.filter((match) => match.join).length
  const warned = state.matches.filter((match) => match.warnings.length > 0).length
  at('status').textContent = text === '' ? 'No text yet.' : [
    `${count} ${count === 1 ? 'URL' : 'URLs'}`, joined && `${joined} put together from several lines`, warned && `${warned} with warnings`,
  ].filter(Boolean).join(', ')
  choose(count > 0 ? 0 : -1)
}

async function copyText(text, button) {
  const said = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not allowed here'
  }
  setTimeout(() => { button.textContent = said }, 1500)
}

function download(name, type, text) {
  const link = element('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

const jsonLines = (matches) => matches.map((match) => `${JSON.stringify(match)}\n`).join('')

const FIELDS = ['line', 'column', 'start', 'end', 'segments', 'url', 'scheme', 'host', 'port', 'form', 'grade', 'reason.production', 'reason.offset', 'reason.message', 'join', 'alternatives', 'warnings']

// A field of CSV. A sheet would compute what starts with one of these signs.
function field(value) {
  const text = String(value ?? '').replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function csv(matches) {
  const values = (match) => FIELDS.map((name) => {
    if (name === 'segments') return match.segments.map((pair) => pair.join('-')).join(' ')
    if (name === 'alternatives' || name === 'warnings') return match[name].join(' ')
    return name.startsWith('reason.') ? match.reason?.[name.slice(7)] : match[name]
  })
  return [FIELDS, ...matches.map(values)].map((row) => `${row.map(field).join(',')}\n`).join('')
}

// What was clicked, or where Enter or the space bar was pressed.
function chosenBy(event) {
  const number = event.target.closest?.('[data-number]')?.dataset.number
  if (number === undefined) return
  choose(Number(number))
  // On a phone the reasons are below the text.
  at('why').scrollIntoView({ block: 'nearest' })
}

// The longest file that is read: a text area is slow with more.
const LONGEST = 16 << 20

// A file that was chosen or dropped is the text, read as UTF-8: mail and archives in it are not decoded.
async function openFile(file) {
  if (!file) return
  if (file.size > LONGEST) {
    at('status').textContent = `The file has ${Math.ceil(file.size / (1 << 20))} MB. This page reads 16 MB at most; the program reads any.`
    return
  }
  at('text').value = await file.text()
  update()
}

let waiting

function listen() {
  at('text').addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(update, at('text').value.length > SHORT ? 400 : 80)
  })
  at('file').addEventListener('change', () => openFile(at('file').files[0]))
  // What is dropped elsewhere would be opened in place of the page.
  addEventListener('dragover', (event) => event.dataTransfer.types.includes('Files') && event.preventDefault())
  addEventListener('drop', (event) => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    openFile(event.dataTransfer.files[0])
  })
  at('marked').addEventListener('click', chosenBy)
  at('marked').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    chosenBy(event)
  })
  at('search').addEventListener('input', drawRows)
  at('form').addEventListener('change', drawRows)
  const chosen = () => listed().map((number) => state.matches[number])
  at('copy').addEventListener('click', () => copyText(chosen().map((match) => `${match.href}\n`).join(''), at('copy')))
  at('json').addEventListener('click', () => download('urls.jsonl', 'application/jsonl', jsonLines(chosen())))
  at('csv').addEventListener('click', () => download('urls.csv', 'text/csv', csv(chosen())))
}

function start() {
  readOptions()
  at('examples').append(...Object.entries(EXAMPLES).map(([name, text]) => {
    const button = element('button', { type: 'button' }, name)
    button.addEventListener('click', () => {
      at('text').value = text
      update()
    })
    return button
  }))
  at('switches').append(...optionElements())
  drawColumns()
  listen()
  if (at('text').value === '') at('text').value = EXAMPLES['Appendix of RFC 1738']
  update()
}

start()
