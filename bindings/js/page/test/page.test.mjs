// The page in Chromium, from file:. node bindings/js/page/build.mjs comes first, and cargo build for the program.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { target } from '../../tools/wasm.mjs'
import { writeArchives } from './archives.mjs'
import { Browser } from './chromium.mjs'

const PAGE = pathToFileURL(join(target, 'page/index.html')).href
const skip = spawnSync('chromium', ['--version']).error ? 'there is no chromium' : false

// The program that was built last.
const builtAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const program = [process.env.URLGREP ?? '', ...['debug', 'release', 'dist'].map((profile) => join(target, profile, 'urlgrep'))]
  .filter(builtAt).sort((a, b) => builtAt(b) - builtAt(a))[0]

let browser
let seen
let folder

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'urlgrep-archives-'))
  if (skip) return
  browser = await Browser.start()
  browser.on(({ method, params }) => {
    if (method === 'Network.requestWillBeSent') seen.requests.push(params.request.url)
    if (method === 'Runtime.exceptionThrown') seen.errors.push(params.exceptionDetails.exception?.description)
    if (method === 'Log.entryAdded') seen.errors.push(params.entry.text)
  })
})

after(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(hash = '', page = PAGE) {
  await browser.open('about:blank')
  seen = { requests: [], errors: [] }
  await browser.open(page + hash)
  await settled()
}

// What the page is in the midst of has ended.
async function settled() {
  while (await run('state.searching || engine.running !== null || marks.isDrawing')) await new Promise((resolve) => setTimeout(resolve, 10))
}

beforeEach(() => skip || open())

const run = (script) => browser.run(script)

// What typing does, without the wait.
const search = (text) => run(`document.getElementById('text').value = ${JSON.stringify(text)}; update()`)

// Chooses files as a person does, or a folder.
const choose = (...names) => chooseIn('#file', names)

async function chooseIn(selector, names) {
  const { root } = await browser.send('DOM.getDocument')
  const { nodeId } = await browser.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  await run('state.searching = true')
  await browser.send('DOM.setFileInputFiles', { nodeId, files: names.map((name) => join(folder, name)) })
  await settled()
}

// The bytes of a download.
async function download(id) {
  await run(`save = (blob) => { window.saved = blob }; window.saved = null; document.getElementById('${id}').click()`)
  await settled()
  while (await run('saved === null')) await new Promise((resolve) => setTimeout(resolve, 10))
  const length = await run('saved.size')
  const parts = []
  for (let from = 0; from < length; from += 1 << 24) {
    const base64 = `new Promise((end) => { const reader = new FileReader(); reader.onload = () => end(reader.result.split(',')[1] ?? ''); reader.readAsDataURL(saved.slice(${from}, ${from + (1 << 24)})) })`
    parts.push(Buffer.from(await run(base64), 'base64'))
  }
  return Buffer.concat(parts)
}
const marked = () => run(`[...document.querySelectorAll('#marked .piece')].map((piece) => piece.textContent)`)
const details = () => run(`document.getElementById('details').innerText`)

function checked(name, body) {
  test(name, { skip }, async () => {
    await body()
    assert.deepEqual(seen.errors, [])
    assert.deepEqual(seen.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('blob:')), [])
  })
}

checked('the Appendix: each URL is marked over its pieces', async () => {
  assert.deepEqual(await marked(), [
    'ftp://info.cern.ch/pub/www/doc;', 'type=d', 'ftp://ds.in', 'ternic.net/rfc', 'http://ds.internic.',
    'net/instructions/overview.html#WARNING',
  ])
  assert.equal(await run(`document.getElementById('status').textContent`), '3 URLs, 3 put together from several lines')
  assert.match(await details(), /^ftp:\/\/info\.cern\.ch\/pub\/www\/doc;type=d\n/)
  assert.match(await details(), /It is in a wrapper, <URL:…>: the URL is all of its content \(RFC 1738, Appendix\)\.\s+It is joined from 2 pieces/)
})

checked('a click shows why', async () => {
  await search('(see http://me:x@h.org/a.)')
  await run(`document.querySelector('.piece').click()`)
  const said = await details()
  assert.match(said, /It starts at the scheme http, without delimiters\./)
  assert.match(said, /It ends before "\.", which belongs to the sentence and is followed by "\)", an unmatched closing bracket/)
  assert.match(said, /Why not better\s+production \w+: "@" is not allowed at offset 11/)
  assert.match(said, /It has a password/)
})

checked('the keyboard reaches each URL once, and Enter chooses it', async () => {
  await search('<http://h.org/a\nb> http://h.org/c')
  assert.equal(await run(`document.querySelectorAll('#marked [tabindex="0"]').length`), 2)
  await run(`document.querySelectorAll('#marked [tabindex="0"]')[1].focus()`)
  for (const type of ['keyDown', 'keyUp']) {
    await browser.send('Input.dispatchKeyEvent', { type, key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' })
  }
  assert.match(await details(), /^http:\/\/h\.org\/c\n/)
  assert.equal(await run(`document.activeElement.getAttribute('aria-pressed')`), 'true')
})

checked('an option changes the matches, and is in the address without the text', async () => {
  await search('see www.h.org/secret')
  assert.deepEqual(await marked(), [])
  assert.equal(await run(`document.querySelector('output[data-option=hosts]').textContent`), '+1')
  await run(`document.querySelector('#switches input').click()`)
  await settled()
  assert.deepEqual(await marked(), ['www.h.org/secret'])
  assert.equal(await run('location.hash'), '#hosts=true')
  await open('#hosts=true&join=nonsense&x=1')
  await search('see www.h.org/a')
  assert.deepEqual(await marked(), ['www.h.org/a'])
})

checked('hostile text is text', async () => {
  const hostile = '<img src=x onerror=hacked=1><script>hacked=1</script> http://h.org/"><svg/onload=hacked=1> \u202egnp.exe \u200b\u0007 '
    + '<http://h.org/\u202e<b>> "http://h.org/a\u202eb"'
  await search(hostile)
  assert.equal(await run('typeof hacked'), 'undefined')
  assert.equal(await run(`document.querySelectorAll('main img, main script, main svg, main b').length`), 0)
  const shown = await run(`document.getElementById('marked').textContent + document.getElementById('rows').textContent`)
  assert.ok(shown.includes('<script>') && shown.includes('U+202E') && shown.includes('U+0007'))
  assert.doesNotMatch(shown, /[\u202e\u200b\u0007]/)
  const labels = await run(`[...document.querySelectorAll('[aria-label]')].map((named) => named.ariaLabel).join()`)
  assert.doesNotMatch(labels, /[\u202e\u200b\u0007]/)
})

checked('hostile mail is text, too, wherever it is shown', async () => {
  const script = '<img src=x onerror=hacked=1>'
  const long = 'a'.repeat(60000)
  const mail = `From: ${script} \u202e\u200b <a@h.org>\nSubject: ${script}\u202e${'x'.repeat(1 << 20)}\nTo: ${script}\nContent-Type: text/html; charset=utf-8; name="${script}"\n`
    + `\n<a href="http://h.org/\u202e${script.replace('<', '&lt;')}">${script.replace('<', '&lt;')}\u2066</a> ${'y'.repeat(1 << 20)} http://h.org/${long} <a href="javascript:hacked=1//http://h.org/">x</a>\n`
  const name = `\u202e${script.replace('/', '')}.eml`
  writeFileSync(join(folder, name), mail)
  await choose(name)
  assert.ok(await run('state.items.length >= 2'))
  for (let i = await run('state.items.length') - 1; i >= 0; i--) {
    await run(`choose(${i})`)
    assert.ok(await run('document.documentElement.scrollWidth <= innerWidth'))
    assert.doesNotMatch(await run(`document.body.innerText`), /[\u202e\u200b\u2066]/)
  }
  assert.equal(await run('typeof hacked'), 'undefined')
  assert.equal(await run(`document.querySelectorAll('main img, main a, main script').length`), 0)
})

checked('a line of a megabyte breaks no layout', async () => {
  await search(`http://h.org/${'a'.repeat(60000)} ${'x'.repeat(1 << 20)} http://h.org/b`)
  assert.ok(await run('document.documentElement.scrollWidth <= innerWidth'))
  assert.equal(await run('state.items.length'), 2)
})

checked('a text in slices is the text, with each URL marked', async () => {
  const line = 'caf\u00e9 \u{1f600} <http://h.org/\u00fc-\n b> http://h.org/c\n\n'
  const text = `\ufeff${line.repeat(1000)}`
  await search(text)
  assert.ok(await run(`document.getElementById('marked').children.length > 3`))
  assert.equal(await run(`document.getElementById('marked').textContent`), text.replaceAll('\ufeff', 'U+FEFF'))
  assert.equal(String(await marked()), String(Array.from({ length: 1000 }, () => ['http://h.org/\u00fc-', 'b', 'http://h.org/c']).flat()))
  await run('choose(1999, true)')
  assert.equal(await run(`document.querySelector('#marked .chosen').dataset.number`), '1999')
  assert.match(await details(), /Place\s+line 2999, column/)
  // What follows is drawn in the place of the old slices, and of those no more is left.
  await search('http://h.org/d')
  assert.equal(await run(`document.getElementById('marked').textContent`), 'http://h.org/d')
})

checked('what is drawn of a long text ends with a character', async () => {
  await search(`http://h.org/a ${'\u20ac'.repeat(200000)}`)
  assert.match(await run(`document.getElementById('marked').textContent`), /^http:\/\/h\.org\/a \u20ac+The first 300 KB are drawn\.$/)
})

checked('mail of 1.3 MB is pasted and edited, and the page answers meanwhile', async () => {
  const message = (i) => `From a@h.org Mon Mar  7 10:00:00 2022\nFrom: a@h.org\nSubject: ${i}\n\n${'some words on a line\n'.repeat(14)}see <http://h.org/${i}-\nb>\n\n`
  const mbox = (count) => Array.from({ length: count }, (_, i) => message(i)).join('')
  assert.ok(mbox(3300).length > 1200000)
  await run(`{
    window.gap = 0
    let last = performance.now()
    const tick = () => { window.gap = Math.max(window.gap, performance.now() - last); last = performance.now(); setTimeout(tick) }
    tick()
  }`)
  const paste = (text) => `{
    const field = document.getElementById('text')
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    field.select()
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }))
  }`
  const waited = async (script) => {
    const searches = await run('window.gap = 0, engine.last')
    await run(script)
    while (await run('engine.last') === searches) await new Promise((resolve) => setTimeout(resolve, 10))
    await settled()
    return run('window.gap')
  }
  // How long the page does not answer after a letter in so many messages.
  const gap = async (count) => {
    // The browser would paste it in seconds.
    await waited(paste(mbox(count)))
    assert.equal(await run('state.items.length'), count)
    const gap = await waited(`document.getElementById('text').setSelectionRange(9, 9); document.execCommand('insertText', false, 'x')`)
    assert.equal(await run(`document.getElementById('text').value.length`), mbox(count).length + 1)
    return gap
  }
  // Four times as many take four times as long. What is quadratic takes sixteen times as long, on a busy machine as well.
  const few = await gap(825)
  const many = await gap(3300)
  assert.ok(many < 8 * few + 500, `${few} and ${many} ms`)
})

checked('the list is searched and sorted', async () => {
  await search('http://h.org/b http://h.org/a <http://h.org/c>')
  const rows = () => run(`[...document.querySelectorAll('#rows .url')].map((cell) => cell.textContent.slice(-1)).join('')`)
  assert.equal(await rows(), 'bac')
  const sort = () => run(`document.querySelectorAll('#columns button')[1].click()`)
  await sort()
  assert.equal(await rows(), 'abc')
  await sort()
  assert.equal(await rows(), 'cba')
  assert.equal(await run(`document.querySelectorAll('#columns th')[1].getAttribute('aria-sort')`), 'descending')
  await run(`document.getElementById('search').value = 'ORG/A'; drawRows()`)
  assert.equal(await rows(), 'a')
})

checked('each URL once, with its places', async () => {
  await search('http://h.org/b http://h.org/a\nhttp://h.org/b\nhttp://h.org/b http://h.org/A')
  const rows = () => run(`[...document.querySelectorAll('#rows tr')].map((row) => [...row.querySelectorAll('div.times, div.url')].map((cell) => cell.textContent.trim()).join(' '))`)
  assert.equal((await rows()).length, 5)
  await run(`document.getElementById('once').click()`)
  assert.deepEqual((await rows()), ['3 http://h.org/b', '1 http://h.org/a', '1 http://h.org/A'])
  assert.equal(await run('location.hash'), '#once=true')
  assert.match(await run(`document.getElementById('cut').textContent`), /^3 URLs, each once; the downloads have each place\.$/)
  await run(`document.querySelector('th [data-key=times]').click()`)
  assert.deepEqual(await run(`listed().numbers`), [1, 4, 0])
  await run(`document.querySelectorAll('#rows .url button')[2].click()`)
  assert.match(await run(`document.querySelector('#details .places').textContent`), /^The URL is at 2 other placesline 2line 3$/)
  await run(`document.querySelectorAll('#details .places button')[1].click()`)
  assert.match(await details(), /Place\s+line 3, column 1/)
  await open('#once=true')
  assert.equal(await run(`document.getElementById('once').checked && document.querySelectorAll('#columns .times').length`), 1)
})

checked('hosts are counted, and a click leaves the URLs of one', async () => {
  await search('http://h.org/b http://H.org/a http://i.org/ mailto:a@i.org news:comp.lang.c http://h.org:8080/c')
  const hosts = () => run(`[...document.querySelectorAll('#hosts-list button')].map((button) => button.textContent)`)
  assert.deepEqual(await hosts(), ['h.org 3', 'i.org 2', 'no host 1'])
  await run(`document.querySelectorAll('#hosts-list button')[1].click()`)
  const urls = () => run(`[...document.querySelectorAll('#rows .url')].map((cell) => cell.textContent)`)
  assert.deepEqual(await urls(), ['http://i.org/', 'mailto:a@i.org'])
  assert.equal(await run(`document.activeElement.getAttribute('aria-pressed') + document.activeElement.textContent`), 'truei.org 2')
  // The other hosts stay, and follow what else the list is asked for.
  await run(`document.getElementById('search').value = 'http'; drawRows()`)
  assert.deepEqual([await hosts(), await urls()], [['h.org 3', 'i.org 1'], ['http://i.org/']])
  await run(`document.getElementById('search').value = ''; document.querySelectorAll('#hosts-list button')[1].click()`)
  assert.equal((await urls()).length, 6)
  await run(`document.querySelectorAll('#hosts-list button')[2].click()`)
  assert.deepEqual(await urls(), ['news:comp.lang.c'])
  // A text without it is not filtered by it.
  await search('http://h.org/')
  assert.deepEqual(await urls(), ['http://h.org/'])
  assert.equal(await run(`document.getElementById('hosts').hidden`), true)
})

checked('the list says warnings in words', async () => {
  await search('http://me:x@h.org:25/ http://h.org/')
  assert.deepEqual(await run(`[...document.querySelectorAll('#rows .warnings')].map((cell) => cell.textContent)`), ['has a password; has a reserved port, or one above 65535', ''])
})

checked('at a width of 1280 nothing is beyond the edge of the list, and at 390', async () => {
  writeArchives(folder)
  for (const width of [1280, 390]) {
    await browser.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 })
    await open()
    await choose('mail.eml', 'list.mbox', 'some.zip', 'letters.mbox.gz')
    assert.deepEqual(await run(`[...document.querySelectorAll('#columns button')].map((button) => button.dataset.key)`),
      ['number', 'url', 'warnings', 'role', 'form', 'grade', 'path', 'line', 'subject', 'from', 'date'])
    assert.ok(await run(`{ const list = document.querySelector('.scroll'); list.scrollWidth <= list.clientWidth }`), String(width))
  }
  await browser.send('Emulation.clearDeviceMetricsOverride')
})

checked('the figures of the options are those of what is open', async () => {
  const figures = () => run(`[...document.querySelectorAll('output[data-option]')].map((output) => output.textContent).join(' ').trim()`)
  await search('www.h.org www.i.org')
  assert.equal(await figures(), '+2 ±0 ±0 ±0')
  writeFileSync(join(folder, 'short.txt'), 'www.h.org\na@h.org\n')
  writeFileSync(join(folder, 'other.txt'), 'www.h.org\n')
  await choose('short.txt', 'other.txt')
  assert.equal(await figures(), '+2 +1 ±0 ±0')
  writeFileSync(join(folder, 'long.txt'), `www.h.org\n${'x\n'.repeat(150000)}`)
  await choose('long.txt')
  assert.equal(await figures(), '')
  await run(`document.getElementById('close').click()`)
  await settled()
  assert.equal(await figures(), '+2 ±0 ±0 ±0')
})

// A folder with a folder in it, and a picture.
function writeFolder() {
  mkdirSync(join(folder, 'mails/cur'), { recursive: true })
  writeFileSync(join(folder, 'mails/b.txt'), 'http://h.org/b\n')
  writeFileSync(join(folder, 'mails/a.png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  for (let i = 0; i < 150; i++) writeFileSync(join(folder, `mails/cur/${i}`), `From: a@h.org\nSubject: ${i}\n\nhttp://h.org/${i}\n`)
}

async function drop(...names) {
  const data = { items: [], files: names.map((name) => join(folder, name)), dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop']) await browser.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  while (await run(`state.files.length === 0 && state.unread.length === 0`)) await new Promise((resolve) => setTimeout(resolve, 10))
  await settled()
}

checked('a folder is chosen, with the folders in it', async () => {
  writeFolder()
  await chooseIn('#folder', ['mails'])
  assert.equal(await run('state.items.length'), 151)
  assert.deepEqual(await run('state.items.slice(0, 2).map(({ path, url }) => path + " " + url)'), ['mails/b.txt http://h.org/b', 'mails/cur/0 http://h.org/0'])
  // A picture that nobody named is no error.
  assert.deepEqual(await run('state.failures'), [])
})

test('a folder is dropped, with a file beside it', { skip }, async () => {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(readFileSync(new URL(PAGE)))).listen(0)
  try {
    await open('', `http://127.0.0.1:${server.address().port}/`)
    writeFolder()
    writeFileSync(join(folder, 'beside.txt'), 'http://h.org/beside\n')
    await drop('beside.txt', 'mails')
    assert.equal(await run('state.items.length'), 152)
    assert.deepEqual(await run('state.items.slice(0, 3).map(({ path }) => path)'), ['beside.txt', 'mails/b.txt', 'mails/cur/0'])
    assert.deepEqual(await run('[...state.unread, ...state.failures]'), [])
    assert.deepEqual(seen.errors, [])
  } finally {
    server.close()
  }
})

checked('what a page of file: cannot read of what is dropped is said', async () => {
  writeFolder()
  writeFileSync(join(folder, 'beside.txt'), 'http://h.org/beside\n')
  await drop('mails', 'beside.txt')
  assert.deepEqual(await run('state.items.map(({ path }) => path)'), ['beside.txt'])
  assert.match(await run(`document.getElementById('failures').textContent`), /^mails: this browser lets no page of file: read a folder/)
})

checked('mail is decoded, and its roles are switches', async () => {
  writeArchives(folder)
  await choose('mail.eml', 'some.zip')
  const rows = () => run(`[...document.querySelectorAll('#rows .url')].map((cell) => cell.textContent)`)
  const all = await rows()
  assert.ok(all.includes('http://h.org/caf\u00e9') && all.includes('http://\u00e9vil.net/'))
  const said = await run(`[...document.querySelectorAll('#rows button')].find((button) => button.textContent === 'http://\u00e9vil.net/').click(); document.getElementById('details').innerText`)
  assert.match(said, /Role\s+link: a link that can be followed, a@href/)
  assert.match(said, /Subject\s+=1\+1, "the;caf\u00e9"/)
  assert.match(said, /It has link text that shows another host\./)
  await run(`[...document.querySelectorAll('#roles input')].slice(1).forEach((input) => input.click())`)
  assert.ok(!(await rows()).includes('http://\u00e9vil.net/'))
  assert.match(await run('location.hash'), /hide=link/)
  await run(`document.getElementById('close').click()`)
  await settled()
  assert.equal((await marked()).length, 6)
})

checked('mail that is pasted is decoded, or read as plain text', async () => {
  await run(`openText(EXAMPLES.Newsletter)`)
  await settled()
  // In the text as it is written: a soft line break cuts the second.
  assert.deepEqual((await marked()).slice(0, 3), ['https://track.example.net/c?u=3D1&amp;id=3D42', 'https://www', '.example.org/menu'])
  assert.equal(await run('state.items[0].url'), 'https://track.example.net/c?u=1&id=42')
  await run(`document.querySelector('output[data-option=plain]').closest('label').querySelector('input').click()`)
  await settled()
  // A text knows quoted-printable as well, in a value after `=3D`.
  assert.equal(await run('state.items[0].url'), 'https://track.example.net/c?u=1&id=42')
  assert.equal(await run('location.hash'), '#plain=true')
})

checked('both passes read a file as plain text', async () => {
  // An image is not searched, so only the plain text has the URL that shows how the other one continues.
  const magic = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const image = Buffer.concat([magic, Buffer.from('\nsee http://h.org/long-\nname and\nhttp://h.org/long-name\n')])
  for (const name of ['a.png', 'b.png']) writeFileSync(join(folder, name), image)
  const urls = () => run('state.items.map(({ url }) => url)')
  await run(`state.options = { join: 'likely' }; update()`)
  await choose('a.png')
  assert.deepEqual(await urls(), [])
  await run(`state.plain = true; update()`)
  await choose('b.png')
  assert.deepEqual(await urls(), ['http://h.org/long-name', 'http://h.org/long-name'])
})

checked('the list is bounded, and the number of matches is not', async () => {
  await search('http://h.org/a http://h.org/b http://h.org/c')
  await run(`state.items = []; ask(request('list', { most: 2 }), take)`)
  assert.equal(await run('state.items.length'), 2)
  assert.equal(await run('found()'), 3)
  await run('drawStatus()')
  assert.match(await run(`document.getElementById('room').innerText`), /^The list has 2 of them, the downloads have all\./)
})

const withProgram = program === undefined ? 'the program is not built' : skip

test('downloads are byte for byte what the program writes', { skip: withProgram }, async () => {
  const written = (...args) => spawnSync(program, args, { cwd: folder, maxBuffer: 1 << 30 }).stdout
  for (const name of writeArchives(folder)) {
    await choose(name)
    for (const format of ['json', 'csv']) {
      const [page, wanted] = [await download(format), written(`--${format}`, name)]
      assert.ok(page.equals(wanted), `${name} ${format}: ${page.length} bytes of the page, ${wanted.length} of the program`)
    }
  }
  await choose('mail.eml')
  await run(`document.querySelector('#roles input').click(); document.getElementById('search').value = 'H.ORG'; drawRows()`)
  const roles = ['link', 'image', 'form_action', 'resource', 'header'].flatMap((role) => ['--role', role])
  assert.equal(String(await download('json')), String(written('--json', ...roles, '--ignore-case', '--match', 'h\\.org', 'mail.eml')))
  await run(`document.getElementById('search').value = ''; document.querySelector('#roles input').click(); state.host = 'h.org'; drawRows()`)
  const lines = String(written('--json', 'mail.eml')).match(/.*\n/g)
  assert.equal(String(await download('json')), lines.filter((line) => JSON.parse(line).host === 'h.org').join(''))
  assert.deepEqual(seen.errors, [])
})

test('the download of a text, and with options', { skip: withProgram }, async () => {
  const text = '<http://h.org/a-\nb>, http://me:x@h.org/,"\u{1F600}" mailto:=a@h.org www.h.org/\u00fc http://h.org/long-\nname'
  await search(text)
  const written = (...args) => spawnSync(program, [...args, '-'], { input: text }).stdout
  assert.equal(String(await download('json')), String(written('--json')))
  assert.equal(String(await download('csv')), String(written('--csv')))
  await run(`state.options = { hosts: true, join: 'likely', hyphen: 'both', grade: 'rfc3986', iri: 'all' }; update()`)
  writeFileSync(join(folder, 'text'), `${text}\nhttp://h.org/long-name\n`)
  await choose('text')
  const flags = ['--schemeless=hosts', '--join=likely', '--hyphen=both', '--grade=rfc3986', '--iri=all']
  const wanted = spawnSync(program, ['--json', ...flags, 'text'], { cwd: folder }).stdout
  assert.match(String(wanted), /long-name/)
  assert.equal(String(await download('json')), String(wanted))
})

test('from a server: one request, and a long download is a file', { skip: withProgram }, async () => {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(readFileSync(new URL(PAGE)))).listen(0)
  try {
    const address = `http://127.0.0.1:${server.address().port}/`
    await open('', address)
    assert.deepEqual(seen.requests.filter((url) => !url.startsWith('blob:')), [address])
    writeArchives(folder)
    await choose('mail.eml')
    await run(`ask(request('download', { output: 'json', isLong: true }), ({ blob }) => { window.saved = blob ?? window.saved })`)
    assert.equal(await run('saved instanceof File'), true)
    const wanted = spawnSync(program, ['--json', 'mail.eml'], { cwd: folder }).stdout
    assert.equal(await run('saved.text()'), String(wanted))
    await run('removeDownload()')
    assert.deepEqual(await run(`navigator.storage.getDirectory().then(async (folder) => { const names = []; for await (const name of folder.keys()) names.push(name); return names })`), [])
    assert.deepEqual(seen.errors, [])
  } finally {
    server.close()
  }
})

checked('the page answers while it searches, and stops', async () => {
  writeArchives(folder)
  const names = Array.from({ length: 300 }, () => 'long.mbox.gz')
  const { root } = await browser.send('DOM.getDocument')
  const { nodeId } = await browser.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' })
  await browser.send('DOM.setFileInputFiles', { nodeId, files: names.map((name) => join(folder, name)) })
  while (await run('state.items.length === 0')) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(await run('state.searching'), true)
  await run(`document.querySelectorAll('#rows button')[1].click()`)
  assert.match(await details(), /^\w+:/)
  await run(`document.getElementById('stop').click()`)
  await settled()
  assert.match(await run(`document.getElementById('status').textContent`), /^Stopped: [\d,]+ URLs so far/)
  assert.ok(await run('state.items.length <= MOST'))
})

checked('what cannot be read is said', async () => {
  writeArchives(folder)
  writeFileSync(join(folder, '\u202epicture.png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  await choose('damaged.gz', '\u202epicture.png')
  const said = await run(`[...document.querySelectorAll('#failures li')].map((failure) => failure.textContent)`)
  assert.match(said[0], /^damaged\.gz: .*truncated gzip data/)
  assert.match(said[1], /picture\.png: unsupported format: .*/)
  assert.doesNotMatch(said.join(), /\u202e/)
})

const axe = join(target, 'npm/node_modules/axe-core/axe.min.js')

test('axe finds nothing, at both widths, light and dark, for texts and files', { skip: builtAt(axe) === 0 ? 'there is no axe-core' : skip }, async () => {
  writeArchives(folder)
  for (const [width, scheme, files] of [[1400, 'light', []], [390, 'dark', []], [1400, 'dark', ['mail.eml', 'damaged.gz']], [390, 'light', ['mail.eml', 'some.zip']]]) {
    await browser.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 })
    await browser.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
    await open()
    if (files.length > 0) await choose(...files)
    await run(`document.getElementById('options').open = true`)
    await run(`${readFileSync(axe, 'utf8')};0`)
    const findings = await run(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`)
    assert.deepEqual(findings, [], `${width} ${scheme}`)
    assert.ok(await run('document.documentElement.scrollWidth <= innerWidth'))
  }
  await browser.send('Emulation.clearDeviceMetricsOverride')
})

test('nothing can be fetched', { skip }, async () => {
  const fetched = await run(`fetch('http://127.0.0.1:9/').then(() => 'fetched', (error) => error.name)`)
  assert.equal(fetched, 'TypeError')
  assert.ok(seen.errors.some((text) => /Content Security Policy/.test(text)), String(seen.errors))
})
