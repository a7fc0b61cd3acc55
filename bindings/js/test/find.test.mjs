import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Finder, details, findAll, isMatch, record } from '../dist/index.mjs'
import { TABLE } from '../lib/table.js'

const urls = (text, options) => findAll(text, options).map(({ url }) => url)

test('the text of the Appendix', () => {
  const text = `
   Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
   type=d> but you can probably pick it up from <URL:ftp://ds.in
   ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
   net/instructions/overview.html#WARNING>.
`
  assert.deepEqual(urls(text), [
    'ftp://info.cern.ch/pub/www/doc;type=d',
    'ftp://ds.internic.net/rfc',
    'http://ds.internic.net/instructions/overview.html#WARNING',
  ])
})

test('a match is data', () => {
  const text = '\u{1F600}\n<URL:HTTP://me:x@h.org/foo-\nb~>'
  const [match] = findAll(text, { lineNumbers: true })
  const expected = {
    url: 'HTTP://me:x@h.org/foo-b~', href: 'HTTP://me:x@h.org/foo-b~', hasScheme: true, start: 3, end: 34,
    urlRange: [8, 33], pieces: [[8, 30], [31, 33]], form: 'wrapper', role: 'text', join: 'delimited', guess: null, isTruncated: false, alternatives: ['HTTP://me:x@h.org/foob~'], line: 2,
    column: 1, ending: null,
  }
  assert.deepStrictEqual(match, expected)
  for (const copy of [{ ...match }, structuredClone(match), JSON.parse(JSON.stringify(match))]) assert.deepStrictEqual(copy, expected)
  assert.equal(text.slice(match.start, match.end), '<URL:HTTP://me:x@h.org/foo-\nb~>')
})

test('all matches have the same properties, of their own', () => {
  const options = [{}, { lineNumbers: true, explain: true, hyphen: 'both' }]
  const matches = options.flatMap((each) => findAll('http://h.org/ <http://h.org/a-\nb> {"u":"http:\\/\\/h.org\\/c"}', each))
  assert.equal(matches.length, 7)
  for (const match of matches) assert.deepEqual(Object.keys(match), Object.keys(matches[0]))
  matches[0].pieces.push('mine')
  matches[0].alternatives.push('mine')
  assert.ok(!JSON.stringify(matches.slice(1)).includes('mine'))
})

test('what is not known is null', () => {
  const [match] = findAll('at http://h.org/')
  const { line, column, join, guess, ending } = match
  assert.deepEqual([line, column, details(match).reason, join, guess, ending], [null, null, null, null, null, null])
  assert.deepEqual(match.alternatives, [])
  assert.deepEqual(match.pieces, [[3, 16]])
})

test('the details of a URL', () => {
  const [match] = findAll('HTTP://me:x@H.org/b~')
  // The offset is that of the at-sign, since RFC 1738 has no user in http.
  const { reason, ...rest } = details(match)
  assert.deepEqual(rest, { scheme: 'http', host: 'h.org', port: 80, grade: 'rfc3986', warnings: ['password'], isSafe: true })
  assert.equal(reason.offset, 11)
  assert.ok(reason.production && reason.message)
  assert.deepEqual(details(structuredClone(match)), details(match))
  const { scheme, host, port, isSafe } = details({ href: 'file:///a' })
  assert.deepEqual([scheme, host, port, isSafe], ['file', '', null, false])
  for (const wrong of [undefined, null, 'http://h.org/', {}]) {
    assert.throws(() => details(wrong), { name: 'TypeError', message: /^expected a match, which has an href, found (undefined|null|string|object)$/ })
  }
})

test('a URL that was shortened where it is shown says so', () => {
  const matches = findAll('http://h.org/long... http://h.org/longer… http://a:b@h.org/x... http://h.org/all. http://h.org/')
  assert.deepEqual(matches.map(({ isTruncated }) => isTruncated), [true, true, true, false, false])
  assert.deepEqual(matches.map((match) => details(match).warnings), [['truncated'], ['truncated'], ['password', 'truncated'], [], []])
})

test('the record of a match is that of --json', () => {
  const [match] = findAll('see\n <ftp://h.org/a;\ntype=d>', { lineNumbers: true })
  assert.equal(JSON.stringify(record(match)), '{"line":2,"column":2,"start":5,"end":28,"pieces":[[6,20],[21,27]],'
    + '"url":"ftp://h.org/a;type=d","scheme":"ftp","host":"h.org","port":21,"form":"angle","role":"text","grade":"rfc1738",'
    + '"reason":null,"join":"delimited","alternatives":[],"warnings":[]}')
})

test('columns count from the start of each line', () => {
  const matches = findAll('http://a.org, http://b.org\n\n\u{1F600} http://c.org\r\nhttp://d.org http://e.org', { lineNumbers: true })
  assert.deepEqual(matches.map(({ line, column }) => [line, column]), [[1, 1], [1, 15], [3, 4], [4, 1], [4, 14]])
})

test('the time of columns is linear', () => {
  // In quadratic time this would take minutes.
  const matches = findAll('http://h.org/ '.repeat(200000), { lineNumbers: true })
  assert.equal(matches.at(-1).column, 14 * 199999 + 1)
})

test('offsets count UTF-16 units', () => {
  for (const before of ['', 'é', '例', '\u{1F600}', 'a\u{1F600}é例\n', '\ud800', '\0']) {
    const text = `${before} http://h.org/a, ${before} http://h.org/bé?${before}`
    const [first, second] = findAll(text)
    assert.equal(text.slice(first.start, first.end), 'http://h.org/a', JSON.stringify(before))
    assert.equal(text.slice(second.start, second.start + 15), 'http://h.org/bé')
    assert.equal(second.url, text.slice(second.start, second.end))
  }
})

test('a URL that the text encodes', () => {
  const [match] = findAll('{"u":"http:\\/\\/h.org\\/a"}')
  assert.equal(match.url, 'http://h.org/a')
  assert.deepEqual(match.pieces, [[6, 11], [12, 13], [14, 20], [21, 23]])
})

test('an implied scheme', () => {
  const [host, address] = findAll('www.h.org/a, me@h.org', { schemeless: ['hosts', 'emails'] })
  assert.deepEqual([host.url, host.href, details(host).scheme, host.hasScheme], ['www.h.org/a', 'http://www.h.org/a', 'http', false])
  assert.deepEqual([address.href, details(address).host], ['mailto:me@h.org', 'h.org'])
})

test('each option', () => {
  assert.deepEqual(urls('<http://h.org/a\nb>', { join: 'none' }), ['http://h.org/a'])
  assert.deepEqual(urls('<http://h.org/a-\nb>', { hyphen: 'drop' }), ['http://h.org/ab'])
  assert.deepEqual(urls('<http://h.org/a-\nb>', { hyphen: 'both' }), ['http://h.org/a-b', 'http://h.org/ab'])
  assert.deepEqual(urls('http://h.org/ http://h.org/~', { grade: 'rfc1738' }), ['http://h.org/'])
  assert.deepEqual(urls('ftp://h.org/ http://h.org/', { schemes: ['FTP'] }), ['ftp://h.org/'])
  assert.deepEqual(urls('ftp://h.org/ http://h.org/', { schemes: [] }), [])
  assert.deepEqual(urls('ftp://h.org/ http://h.org/', { schemes: undefined }).length, 2)
  assert.deepEqual(urls('at skype:joe', { schemeAdd: 'skype,x' }), ['skype:joe'])
  assert.deepEqual(urls('see https://h.org/on\ne/two and', { join: 'likely', width: 20 }), ['https://h.org/one/two'])
  assert.deepEqual(urls('http://h.org/abcdefghijkl', { maxLen: 16 }), [])
  assert.deepEqual(urls('http://h.org/a,Template,3', { delimitedRows: true }), ['http://h.org/a'])
  assert.deepEqual(urls('http://h.org/ü', { iri: 'ascii' }), ['http://h.org/'])
  assert.deepEqual(urls('at hXXps://h[.]org/a', { refang: true }), ['https://h.org/a'])
  const { ending } = findAll('(see http://h.org/.)', { explain: true })[0]
  assert.deepEqual(ending, { stop: '")", an unmatched closing bracket', trimmed: 1 })
  assert.deepEqual(urls('http://h.org/', { refang: undefined }), ['http://h.org/'])
})

test('lists of names are not mixed', () => {
  const text = 'skype:joe x:y http://h.org/'
  assert.deepEqual(urls(text, { schemeAdd: ['skype', 'x'], schemeless: 'hosts', schemes: 'x' }), ['x:y'])
  assert.deepEqual(urls(text, { schemes: 'skype,http', maxLen: 20, schemeAdd: ['skype', 'x'] }), ['skype:joe', 'http://h.org/'])
  assert.deepEqual(urls(text, { schemes: [], schemeAdd: 'x' }), [])
  assert.deepEqual(urls(text, { schemeAdd: [], schemes: ['x', 'http'] }), ['http://h.org/'])
})

test('each option of the table has each of its values', () => {
  const values = { flag: () => [false, true], number: ({ least }) => [least, 0xffffffff], names: () => ['x', ['x', 'y'], []], oneOf: (row) => row.values, anyOf: ({ values }) => ['', [], ...values, values.join(), values] }
  assert.ok(Object.keys(TABLE).length >= 13)
  for (const [name, row] of Object.entries(TABLE)) {
    for (const value of values[row.kind](row)) new Finder({ [name]: value }).free()
    assert.throws(() => new Finder({ [name]: null }), { name: 'TypeError', message: new RegExp(`^option ${name}: expected .*, found null$`) })
  }
})

test('a guess names its rule', () => {
  const [match] = findAll('it is at http://www.example.org/archive/of/the-\nworking-group.html', { join: 'likely' })
  assert.deepEqual([match.join, match.guess], ['guess', 'S'])
})

test('wrong options are errors with a sentence', () => {
  const fails = (options, type, message) => assert.throws(() => findAll('', options), (error) => {
    assert.ok(error instanceof type, error)
    assert.match(error.message, message)
    return true
  })
  fails({ joins: 'none' }, TypeError, /^unknown option "joins"; expected one of join, hyphen/)
  fails({ join: 'all' }, RangeError, /^option join: expected one of "none", "delimited", "likely", found "all"$/)
  fails({ join: 1 }, TypeError, /^option join: expected one of .*, found number$/)
  fails({ refang: 'yes' }, TypeError, /^option refang: expected true or false, found string$/)
  fails({ schemeless: 'host' }, RangeError, /^option schemeless: expected some of "hosts", "emails", "ips", found "host"$/)
  fails({ schemeless: 1 }, TypeError, /^option schemeless: expected a string or an array of strings, found number$/)
  fails({ hosts: true }, TypeError, /^the option "hosts" is now called "schemeless"$/)
  fails({ known: 'a' }, TypeError, /^the option "known" is now called "schemeAdd"$/)
  fails({ maxLen: 3 }, RangeError, /^option maxLen: expected a whole number from 16 to /)
  fails({ schemeAdd: ['a b'] }, Error, /^expected a scheme .*, found "a b"$/)
  fails({ schemeAdd: [''] }, RangeError, /^option schemeAdd: expected the name of a scheme, found ""$/)
  fails({ schemeAdd: 'x,é' }, RangeError, /^option schemeAdd: expected the name of a scheme, found "é"$/)
  fails({ schemes: ['a,b'] }, RangeError, /^option schemes: expected the name of a scheme, found "a,b"$/)
  fails({ grade: 'draft1994' }, RangeError, /expected one of "lenient", "rfc3986", "rfc1738"/)
  fails('join', TypeError, /^expected an object of options, found string$/)
  fails(null, TypeError, /found null$/)
  fails({ toString: true }, TypeError, /^unknown option "toString"/)
})

test('only strings are searched', () => {
  for (const [value, name] of [[undefined, 'undefined'], [3, 'number'], [null, 'null'], [[], 'an array']]) {
    assert.throws(() => findAll(value), { name: 'TypeError', message: `expected a string to search, found ${name}` })
  }
})

test('a finder that was freed says so, and its matches stay', () => {
  const finder = new Finder({ schemeless: 'hosts' })
  const [match] = finder.findAll('www.h.org')
  finder.free()
  finder.free()
  assert.throws(() => finder.findAll('www.h.org'), { message: 'this Finder was freed: it cannot search any more' })
  assert.deepEqual([match.url, details(match).grade], ['www.h.org', 'rfc1738'])
})

test('many options do not fill the memory', async () => {
  const { Instance } = WebAssembly
  let memory
  WebAssembly.Instance = class extends Instance {
    constructor(...parts) {
      super(...parts)
      memory = this.exports.memory
    }
  }
  const { findAll } = await import('../dist/index.mjs?with its memory')
  WebAssembly.Instance = Instance
  const search = (from, to) => {
    for (let i = from; i < to; i++) assert.equal(findAll('http://h.org/', { maxLen: 100 + i }).length, 1)
  }
  search(0, 100)
  const before = memory.buffer.byteLength
  search(100, 5000)
  assert.equal(memory.buffer.byteLength, before)
})

test('texts of any length, one after the other', () => {
  for (const length of [0, 1, 95, 96, 97, 4095, 4096, 4097, 70000, 3 << 20, 10]) {
    for (const fill of ['x', 'é', '例']) {
      const text = `${fill.repeat(length)} http://h.org/a`
      const [match] = findAll(text)
      assert.equal(match.url, 'http://h.org/a')
      assert.equal(match.start, length + 1)
    }
  }
})

test('CommonJS has the same', async () => {
  const require = createRequire(import.meta.url)
  const modules = [require('../dist/index.cjs'), await import('../dist/index.mjs')]
  for (const module of modules) {
    assert.deepEqual(Object.keys(module).sort(), ['Finder', 'details', 'findAll', 'findCovering', 'isMatch', 'linkify', 'matchAt', 'record', 'urlgrep'])
    assert.equal(module.findAll('at http://h.org/.')[0].url, 'http://h.org/')
  }
})

test('in browsers it is started first', async () => {
  const web = await import('../dist/web.mjs')
  const notStarted = /^Error: urlgrep is not started: in browsers, first `await init\(\)`/
  assert.throws(() => web.findAll('http://h.org/'), notStarted)
  // A match of a worker.
  assert.throws(() => web.details({ href: 'http://h.org/' }), notStarted)
  await assert.rejects(web.init(new Uint8Array(3)), WebAssembly.CompileError)
  const bytes = readFileSync(new URL('../dist/urlgrep.wasm', import.meta.url))
  await Promise.all([web.init(bytes), web.init(bytes)])
  await web.init()
  assert.equal(web.findAll('at http://h.org/.')[0].url, 'http://h.org/')
})

test('is there a match', () => {
  assert.equal(isMatch('at http://h.org/.'), true)
  assert.equal(isMatch('at h.org: no'), false)
  assert.equal(isMatch('www.h.org', { schemeless: 'hosts' }), true)
  assert.throws(() => new Finder().isMatch(1), { name: 'TypeError', message: 'expected a string to search, found number' })
})

test('why a bare URL ends', () => {
  const ending = (options) => findAll('at http://h.org/. ', options)[0].ending
  assert.equal(ending(), null)
  for (const options of [{ explain: true }, { join: 'likely' }]) assert.equal(ending(options).trimmed, 1)
})
