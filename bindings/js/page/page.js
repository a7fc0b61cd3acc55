// The page: a text or files, their URLs, and the explanation of each URL.

// The maximum number of matches in the list, because each line takes 1.5 KB.
const MOST = 100000
// The maximum number of further positions listed for a URL.
const PLACES = 50
// The number of characters from which the page, not the browser, pastes a text.
const LONG_PASTE = 100000
// The maximum length of files that are searched again immediately when an option changes.
const QUICK = 8e6

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
  Newsletter: `From: News <news@example.org>
To: you@example.com
Subject: =?UTF-8?Q?The_caf=C3=A9_is_open?=
Date: Mon, 7 Mar 2022 10:00:00 +0000
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>Read <a href=3D"https://track.example.net/c?u=3D1&amp;id=3D42">https://www=
.example.org/menu</a>, or <a href=3D"https://example.org/caf=C3=A9">the page o=
f the caf=C3=A9</a>.</p>
<img src=3D"https://track.example.net/pixel.gif?id=3D42" alt=3D"">
<p>Mirror: &lt;URL:https://example.org/a&amp;b&gt;</p>
`,
  Log: `10:02:11 GET "https://example.org/search?q=a&page=2" 200
10:02:12 {"url":"https:\\/\\/example.org\\/a\\u0026b","ms":12}
10:02:13 referer=http://example.com/~joe/{id}; agent=Mozilla/5.0
10:02:14 blocked hxxps://evil[.]example[.]net/payload (defanged)
`,
}

const state = {
  options: {}, hidden: new Set(), host: undefined, once: false, plain: false, text: new Uint8Array(), files: [], unread: [], items: [], counts: [],
  failures: [], searching: false, chosen: -1, sort: 'number', down: false,
}

// The searched input: files, or the text as it was when the search began.
function inputs() {
  if (state.files.length > 0) return state.files
  return [{ name: '-', file: new Blob([state.text]), isNamed: true }]
}

const request = (kind, changes) => ({
  kind, inputs: inputs(), text: state.plain, options: optionsWith({}), output: 'list', most: MOST, roles: '', form: '', url: '', host: undefined, ...changes,
})

const total = () => state.files.reduce((sum, { file }) => sum + file.size, 0)

// Searches the input and draws the result. `select` limits the list to these matches, if it cannot hold all of them.
async function update(select = {}) {
  const ofFiles = state.files.length > 0
  const text = ofFiles ? new Uint8Array() : new TextEncoder().encode(at('text').value)
  Object.assign(state, { text, items: [], counts: [], failures: [], searching: true, stopped: false, limited: Object.keys(select).length > 0 })
  forgetDifferences()
  if (ofFiles) drawBegin()
  const { stopped, fatal } = await ask(request('list', select), ofFiles ? takeOfFiles : take)
  if (stopped && !state.stopped) return
  state.searching = false
  if (fatal) state.failures.push(`The search ended: ${fatal}`)
  await Promise.all([drawEnd(), !stopped && !fatal && drawDifferences()])
}

function take({ written, counts, failure, progress }) {
  if (written) for (const item of itemsOf(written)) state.items.push(item)
  state.counts = counts ?? progress?.counts ?? state.counts
  if (failure) state.failures.push(failure)
}

// Searches files and shows the progress. The first match appears immediately, and the first rows soon after.
function takeOfFiles(said) {
  const first = state.items.length
  take(said)
  if (said.progress) drawProgress(said.progress.read)
  if (first < ROWS && (first === 0 || said.progress) && state.items.length > 0) {
    drawColumns()
    drawRows()
  }
  if (first === 0 && state.items.length > 0) choose(0)
}

const found = () => state.counts.reduce((sum, count) => sum + count, 0)

function drawBegin() {
  at('progress').hidden = false
  at('status').textContent = `Searching ${counted(state.files.length, 'file')}, ${size(total())}.`
  drawProgress(0)
  drawRows()
  choose(-1)
}

function drawProgress(read) {
  at('bar').value = total() === 0 ? 1 : read / total()
  at('far').textContent = `${size(read)} of ${size(total())}, ${counted(found(), 'URL')}`
  drawRoles()
}

async function drawEnd() {
  at('progress').hidden = true
  const drawn = drawText()
  if (!state.items.some(({ host }) => host === state.host)) state.host = undefined
  drawForms()
  drawRoles()
  drawColumns()
  drawRows()
  drawStatus()
  drawFailures()
  if (state.chosen < 0 || !state.items[state.chosen] || state.files.length === 0) choose(state.items.length > 0 ? 0 : -1)
  await drawn
}

function drawStatus() {
  const isTruncated = state.limited || found() > state.items.length
  at('room').hidden = !isTruncated
  at('kept').textContent = `The list has ${number(state.items.length)} of them, the downloads have all. `
  const all = counted(found(), 'URL')
  const joined = state.items.filter((item) => item.joined).length
  const warned = state.items.filter((item) => item.warnings).length
  const isEmpty = state.files.length === 0 && state.text.length === 0
  at('status').textContent = isEmpty ? 'No text yet.' : [
    state.stopped ? `Stopped: ${all} so far` : all, !isTruncated && joined && `${number(joined)} put together from several lines`,
    !isTruncated && warned && `${number(warned)} with warnings`,
  ].filter(Boolean).join(', ')
}

function drawFailures() {
  const failures = [...state.unread, ...state.failures]
  at('failures').replaceChildren(...failures.slice(0, 20).map((failure) => element('li', {}, ...visible(withoutOptions(failure)))))
  if (failures.length > 20) at('failures').append(element('li', {}, `and ${failures.length - 20} more`))
}

// Marks the match in the text and in the list, and explains it.
function choose(i, scroll) {
  state.chosen = i
  for (const old of document.querySelectorAll('.chosen')) showChosen(old, false)
  for (const one of document.querySelectorAll(`[data-number="${i}"]`)) {
    showChosen(one, true)
    if (scroll && one.classList.contains('piece')) one.scrollIntoView({ block: 'nearest' })
  }
  const item = state.items[i]
  if (item) drawDetails(item)
  else at('details').replaceChildren(element('p', { className: 'hint' }, 'Choose a URL in the text or in the list.'))
}

function drawDetails(item) {
  const copy = element('button', { type: 'button' }, 'Copy URL')
  copy.addEventListener('click', () => copyText(hrefOf(item), copy))
  const known = parsed(item)
  at('details').replaceChildren(...detailsOf(known, rawPieces(known.line)), ...otherPlaces(item), element('p', { className: 'row' }, copy))
}

// The pieces as the text writes them; undefined for files, because the page does not have their bytes.
function rawPieces({ pieces }) {
  return state.files.length > 0 ? undefined : pieces.map(([start, end]) => decoder.decode(state.text.subarray(start, end)))
}

// The other positions of a URL that is listed once.
function otherPlaces(chosen) {
  const others = []
  if (state.once) state.items.forEach((item, i) => item !== chosen && item.url === chosen.url && others.push(i))
  if (others.length === 0) return []
  const places = others.slice(0, PLACES).map((i) => {
    const { path, line } = state.items[i]
    const button = element('button', { type: 'button' }, ...visible(`${path === '-' ? '' : `${clipped(path, 120)}, `}line ${line}`))
    button.addEventListener('click', () => choose(i, true))
    return element('li', {}, button)
  })
  if (others.length > PLACES) places.push(element('li', {}, `and ${number(others.length - PLACES)} more`))
  return [element('details', { className: 'places' }, element('summary', {}, `The URL is at ${counted(others.length, 'other place')}`), element('ul', {}, ...places))]
}

const hrefOf = (item) => item.href ?? item.url

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

// Searches again without the limit of the list, and writes the matches with the program's output format.
async function download(output, name) {
  const { roles, ...select } = wanted()
  const selected = { ...select, roles: state.hidden.size > 0 ? roles.join(',') : '' }
  const isLong = total() > QUICK
  at('progress').hidden = !isLong
  state.searching = true
  drawRows()
  let blob
  const { fatal } = await ask(request('download', { output, isLong, ...selected }), (said) => {
    blob = said.blob ?? blob
    if (said.progress && isLong) at('bar').value = said.progress.read / total()
    if (said.progress && isLong) at('far').textContent = `${name}: ${size(said.progress.read)} of ${size(total())}`
  })
  state.searching = false
  at('progress').hidden = true
  drawRows()
  if (fatal) at('status').textContent = `The download ended: ${fatal}`
  if (blob) save(blob, name)
}

function save(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
}

// Removes the file of a long download. If the page was closed early, the file of the last visit may still exist.
const removeDownload = () => navigator.storage?.getDirectory?.().then((folder) => folder.removeEntry('download')).catch(() => {})

// The element that was clicked, or on which Enter or the space bar was pressed.
function chosenBy(event) {
  const i = event.target.closest?.('[data-number]')?.dataset.number
  if (i === undefined) return
  choose(Number(i))
  // On a phone, the explanation is below the text.
  at('why').scrollIntoView({ block: 'nearest' })
}

// Searches chosen or dropped files instead of the text. `unread` reports files that could not be opened.
function openFiles(inputs, unread = []) {
  if (inputs.length === 0 && unread.length === 0) return undefined
  Object.assign(state, { files: inputs, unread })
  const names = inputs.slice(0, 5).map(({ name }) => name).join(', ')
  at('names').replaceChildren(...visible(inputs.length === 1 ? names : `${counted(inputs.length, 'file')}: ${names}${inputs.length > 5 ? ', …' : ''}`))
  return showInput()
}

function openText(text) {
  Object.assign(state, { files: [], unread: [] })
  if (text !== undefined) at('text').value = text
  return showInput()
}

// Shows the text or the files, and searches them.
function showInput() {
  const ofFiles = state.files.length > 0
  document.body.classList.toggle('files', ofFiles)
  at('text').hidden = ofFiles
  at('opened').hidden = !ofFiles
  at('marked-section').hidden = ofFiles
  // With files, the list comes first, including in the tab order.
  at('main').append(ofFiles ? at('why') : at('list-section'))
  at('again').hidden = true
  state.host = undefined
  return update()
}

let waiting

// Searches after a pause in typing.
function edited() {
  clearTimeout(waiting)
  waiting = setTimeout(update, state.text.length > SHORT.bytes ? 400 : 80)
}

// Chromium takes seconds to paste a megabyte, because it records an undo step. A change by a script is immediate, but cannot be undone.
function pasteLong(event) {
  const pasted = event.clipboardData.getData('text/plain')
  if (pasted.length < LONG_PASTE) return
  event.preventDefault()
  const { selectionStart, selectionEnd } = at('text')
  at('text').setRangeText(pasted, selectionStart, selectionEnd, 'end')
  edited()
}

function listen() {
  at('text').addEventListener('input', edited)
  at('text').addEventListener('paste', pasteLong)
  at('file').addEventListener('change', () => openFiles([...at('file').files].map(inputOf)))
  at('folder').addEventListener('change', () => openFiles([...at('folder').files].map(inputOf).sort(byName)))
  at('close').addEventListener('click', () => openText())
  at('stop').addEventListener('click', () => {
    state.stopped = true
    stop()
  })
  at('again').addEventListener('click', () => {
    at('again').hidden = true
    update()
  })
  at('only').addEventListener('click', () => update({ ...wanted(), roles: wanted().roles.join(',') }))
  listenToDrops()
  at('licences').addEventListener('toggle', async () => { at('licences-text').textContent ||= await packed('notices').text() })
  at('marked').addEventListener('click', chosenBy)
  at('marked').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    chosenBy(event)
  })
  at('search').addEventListener('input', () => drawRows())
  at('form').addEventListener('change', () => drawRows())
  at('once').addEventListener('change', () => {
    state.once = at('once').checked
    keepOptions()
    drawColumns()
    drawRows()
    choose(state.chosen)
  })
  at('copy').addEventListener('click', () => copyText(listed().numbers.map((i) => `${hrefOf(state.items[i])}\n`).join(''), at('copy')))
  at('json').addEventListener('click', () => download('json', 'urls.jsonl'))
  at('csv').addEventListener('click', () => download('csv', 'urls.csv'))
}

// Without this, the browser would open a file that is dropped elsewhere, instead of the page.
function listenToDrops() {
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files')
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  addEventListener('dragleave', (event) => event.relatedTarget === null && document.body.classList.remove('dropping'))
  addEventListener('drop', (event) => {
    document.body.classList.remove('dropping')
    if (!hasFiles(event)) return
    event.preventDefault()
    openDropped(event.dataTransfer)
  })
}

let drops = 0

async function openDropped(transfer) {
  const drop = ++drops
  const unread = []
  const count = (files) => { if (files % 500 === 0) at('status').textContent = `Looking into folders: ${counted(files, 'file')} so far.` }
  const inputs = await inputsOf(transfer, (failure) => { unread.push(failure) }, count)
  if (drop !== drops) return
  if (inputs.length === 0 && unread.length === 0) unread.push('There is no file in what was dropped.')
  openFiles(inputs, unread)
}

function start() {
  removeDownload()
  addEventListener('pagehide', removeDownload)
  readOptions()
  at('examples').append(...Object.entries(EXAMPLES).map(([name, text]) => {
    const button = element('button', { type: 'button' }, name)
    button.addEventListener('click', () => openText(text))
    return button
  }))
  at('switches').append(...optionElements())
  at('once').checked = state.once
  drawChanged()
  drawColumns()
  listen()
  if (at('text').value === '') at('text').value = EXAMPLES['Appendix of RFC 1738']
  update()
}

start()
