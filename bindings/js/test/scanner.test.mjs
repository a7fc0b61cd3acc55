// A text in chunks, and the match at a place.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Finder, findAll, findCovering, matchAt } from '../dist/index.mjs'

const TOKENS = [
  'http://', 'h.org', '/a', '<', '>', '<URL:', '"', ' ', '\n', '\n> ', '-\n', '.', ',', ')', '(', '&amp;', '\\/', ':', '//', 'x', '\n\n',
  'www.h.org', 'me@h.org', 'ü', '例', '\u{1F600}', '\ud83d', '\ude00', '\r', '%20', 'hxxp://h[.]org', 'mailto:', '\u0301',
]
const OPTIONS = [{}, { lineNumbers: true, schemeless: ['hosts', 'emails'], join: 'likely' }, { refang: true, hyphen: 'both', explain: true, maxLen: 40 }]

let seed = 1738
function random(limit) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return (seed >>> 8) % limit
}

const generated = (length) => Array.from({ length }, () => TOKENS[random(TOKENS.length)]).join('')
const plain = (match) => JSON.parse(JSON.stringify(match))

function* chunksOf(text, most) {
  for (let from = 0; from < text.length;) {
    const to = from + 1 + random(most)
    yield text.slice(from, to)
    from = to
  }
}

function scanned(scanner, chunks) {
  const matches = []
  for (const chunk of chunks) matches.push(...scanner.push(chunk))
  return [...matches, ...scanner.finish()]
}

test('in chunks, by hand', () => {
  const scanner = new Finder().scanner()
  assert.deepEqual(scanner.push('\u{1F600} <http://h.or'), [])
  const [match] = scanner.push('g/a\nb> ')
  assert.deepEqual([match.url, match.start, match.end, match.pieces], ['http://h.org/ab', 3, 21, [[4, 18], [19, 20]]])
  assert.deepEqual(scanner.push('http://h.org/c'), [])
  const [last] = scanner.finish()
  assert.deepEqual([last.url, last.start, last.end], ['http://h.org/c', 22, 36])
  // Another text.
  assert.deepEqual(scanner.push('http://h.org/d ').map(({ url, start }) => [url, start]), [['http://h.org/d', 0]])
})

test('a text in chunks has the matches that it has as a whole', () => {
  for (const options of OPTIONS) {
    const finder = new Finder(options)
    const scanner = finder.scanner()
    for (let i = 0; i < 1500; i++) {
      const text = generated(1 + random(40))
      assert.deepEqual(scanned(scanner, chunksOf(text, 1 + random(9))).map(plain), finder.findAll(text).map(plain), JSON.stringify(text))
    }
  }
})

test('a long text, too', () => {
  for (const options of OPTIONS) {
    const finder = new Finder(options)
    // Without line ends, so that a line begins long before what is kept.
    for (const text of [generated(60000), generated(60000).replaceAll('\n', ' '), `${'x'.repeat(500000)} http://h.org/`]) {
      assert.deepEqual(scanned(finder.scanner(), chunksOf(text, 40000)).map(plain), finder.findAll(text).map(plain))
    }
  }
})

test('a pair of surrogates may be cut', () => {
  const scanner = new Finder().scanner()
  assert.deepEqual(scanned(scanner, ['\ud83d', '\ude00 http://h.org/', '\ud83d']).map(({ start, end }) => [start, end]), [[3, 16]])
  assert.deepEqual(scanned(scanner, ['\ud83d\ud83d', '\ude00\ude00 http://h.org/a']).map(({ start, url }) => [start, url]), [[5, 'http://h.org/a']])
})

test('memory is bounded', () => {
  const scanner = new Finder().scanner()
  const chunk = `${'words and words and words '.repeat(4000)} <http://h.org/a> ü\n`
  let count = 0
  const push = (times) => {
    for (let i = 0; i < times; i++) for (const match of scanner.push(chunk)) count += match.url === 'http://h.org/a' && match.end % chunk.length === chunk.length - 3
  }
  push(100)
  const before = process.memoryUsage().rss
  push(2000)
  assert.equal(count, 2100)
  // 200 MB have passed.
  assert.ok(process.memoryUsage().rss - before < 100 << 20)
  assert.deepEqual(scanner.finish(), [])
})

test('time is linear however short the chunks are', () => {
  const scanner = new Finder().scanner()
  const text = 'see <http://h.org/a> ü '.repeat(10000)
  assert.equal(scanned(scanner, text).length, 10000)
})

test('only strings, and not after it was freed', () => {
  const scanner = new Finder().scanner()
  assert.throws(() => scanner.push(new Uint8Array(1)), { name: 'TypeError', message: 'expected a string to search, found object' })
  scanner.free()
  scanner.free()
  for (const call of [() => scanner.push('x'), () => scanner.finish()]) {
    assert.throws(call, { message: 'this Scanner was freed: it cannot search any more' })
  }
  const finder = new Finder()
  const other = finder.scanner()
  finder.free()
  assert.equal(other.push('http://h.org/ ').length, 1)
  assert.throws(() => finder.scanner(), { message: 'this Finder was freed: it cannot search any more' })
})

test('the match at a place, by hand', () => {
  const text = '\u{1F600}ü <http://h.org/\n  a>, x'
  for (const offset of [4, 5, 18, 20, 22]) assert.equal(findCovering(text, offset)?.url, 'http://h.org/a', offset)
  for (const offset of [0, 1, 3, 23, text.length, 1e9]) assert.equal(findCovering(text, offset), null, offset)
  assert.equal(findCovering('at www.h.org', 5, { schemeless: 'hosts' }).href, 'http://www.h.org')
  assert.equal(findCovering('http://h.org/\u{1F600}x', 14), null)
})

test('the match that starts at a place', () => {
  const text = '\u{1F600}ü <http://h.org/\n  a>, xhttp://h.org/b'
  assert.deepEqual([matchAt(text, 4)?.url, matchAt(text, 5)?.url, matchAt(text, 26)?.end], ['http://h.org/a', 'http://h.org/', text.length])
  for (const offset of [0, 3, 9, 23, 30, text.length]) assert.equal(matchAt(text, offset), null, offset)
  assert.equal(matchAt('at www.h.org', 3, { schemeless: 'hosts' }).href, 'http://www.h.org')
  // Another text of the same length, and one that was changed by another search.
  assert.equal(matchAt('http://h.org/x', 0).url, 'http://h.org/x')
  assert.equal(matchAt('http://h.org/y', 0).url, 'http://h.org/y')
  const scanner = new Finder().scanner()
  scanner.push('http://k.org/')
  assert.equal(matchAt('http://h.org/y', 0).url, 'http://h.org/y')
  assert.throws(() => matchAt(text, -1), { name: 'RangeError' })
})

test('the match at each place is the one that covers it', () => {
  for (const options of OPTIONS.map(({ lineNumbers, ...options }) => options)) {
    const finder = new Finder(options)
    for (let i = 0; i < 300; i++) {
      const text = generated(1 + random(30))
      const matches = finder.findAll(text)
      for (let at = 0; at < text.length; at++) {
        const covering = matches.find(({ start, end }) => start <= at && at < end) ?? null
        assert.deepEqual(plain(finder.findCovering(text, at)), plain(covering), `${JSON.stringify(text)} at ${at}`)
      }
    }
  }
})

test('a place is a whole number', () => {
  for (const offset of [-1, 0.5, NaN, '1', undefined, null]) assert.throws(() => findCovering('http://h.org/', offset), { name: 'RangeError' })
  assert.throws(() => findCovering('abc', '1'), { message: 'expected an offset from 0, found string' })
  assert.throws(() => findCovering('abc', -1), { message: 'expected an offset from 0, found -1' })
  assert.throws(() => findCovering(null, 0), { name: 'TypeError' })
  assert.equal(findCovering('http://h.org/', 3).url, findAll('http://h.org/')[0].url)
})
