// The page in Chromium, from file:. node js/tools/build.mjs and node page/build.mjs come first.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, beforeEach, test } from 'node:test'
import { findAll } from '../../js/dist/index.mjs'
import { Browser } from './chromium.mjs'

const PAGE = new URL('../../target/page/index.html', import.meta.url).href
const skip = spawnSync('chromium', ['--version']).error ? 'there is no chromium' : false

let browser
let seen

before(async () => {
  if (skip) return
  browser = await Browser.start()
  browser.on(({ method, params }) => {
    if (method === 'Network.requestWillBeSent') seen.requests.push(params.request.url)
    if (method === 'Runtime.exceptionThrown') seen.errors.push(params.exceptionDetails.exception?.description)
    if (method === 'Log.entryAdded') seen.errors.push(params.entry.text)
  })
})

after(() => browser?.close())

async function open(hash = '') {
  await browser.open('about:blank')
  seen = { requests: [], errors: [] }
  await browser.open(PAGE + hash)
}

beforeEach(() => skip || open())

const run = (script) => browser.run(script)

// What typing does, without the wait.
const search = (text) => run(`document.getElementById('text').value = ${JSON.stringify(text)}; update()`)
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
  assert.match(await details(), /It starts after <URL:\.\s+It ends before the > that closes the wrapper\./)
})

checked('a click shows why', async () => {
  await search('(see http://me:x@h.org/a.)')
  await run(`document.querySelector('.piece').click()`)
  const said = await details()
  assert.match(said, /It starts where its scheme does: http\./)
  assert.match(said, /It ends before "\)", which closes no bracket of the URL, without the 1 mark that end/)
  assert.match(said, /Why not better\s+production \w+, at character 12/)
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

checked('a line of a megabyte breaks no layout', async () => {
  await search(`http://h.org/${'a'.repeat(60000)} ${'x'.repeat(1 << 20)} http://h.org/b`)
  assert.ok(await run('document.documentElement.scrollWidth <= innerWidth'))
  assert.equal(await run('state.matches.length'), 2)
})

checked('a file is the text', async () => {
  await run(`openFile(new File(['at http://h.org/\u00fc'], 'a.txt'))`)
  assert.deepEqual(await marked(), ['http://h.org/\u00fc'])
  await run(`openFile({ size: 17 << 20 })`)
  assert.match(await run(`document.getElementById('status').textContent`), /^The file has 17 MB\. This page reads 16 MB at most/)
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

checked('downloads', async () => {
  const text = '<http://h.org/a-\nb>, http://me:x@h.org/,"\u{1F600}" mailto:=a@h.org'
  await search(text)
  await run(`URL.createObjectURL = (blob) => { window.blob = blob; return 'blob:x' }; HTMLAnchorElement.prototype.click = () => {}`)
  const download = (id) => run(`document.getElementById('${id}').click(); window.blob.text()`)
  const wanted = findAll(text, { lineNumbers: true }).map((match) => `${JSON.stringify(match)}\n`).join('')
  assert.equal(await download('json'), wanted)
  const lines = (await download('csv')).split('\n')
  assert.equal(lines[1], '1,1,0,19,1-16 17-18,http://h.org/a-b,http,h.org,80,angle,rfc1738,,,,delimited,http://h.org/ab,')
  assert.equal(lines[0].split(',').length, 17)
})

test('a field of CSV is not computed', { skip }, async () => {
  assert.equal(await run(`field('=1+1')`), "'=1+1")
  assert.equal(await run(`field('a"b,c')`), '"a""b,c"')
})

test('nothing can be fetched', { skip }, async () => {
  const fetched = await run(`fetch('http://127.0.0.1:9/').then(() => 'fetched', (error) => error.name)`)
  assert.equal(fetched, 'TypeError')
  assert.ok(seen.errors.some((text) => /Content Security Policy/.test(text)), String(seen.errors))
})
