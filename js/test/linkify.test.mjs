import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkify } from '../dist/index.mjs'

const urls = (linkifier, text) => (linkifier.match(text) ?? []).map((link) => link.url)

test('a link has the properties of linkify-it', () => {
  const text = 'see HTTP://h.org/a, or me@h.org.'
  assert.deepEqual(linkify().match(text).map((link) => ({ ...link })), [
    { schema: 'http:', index: 4, lastIndex: 18, raw: 'HTTP://h.org/a', text: 'HTTP://h.org/a', url: 'HTTP://h.org/a' },
    { schema: 'mailto:', index: 23, lastIndex: 31, raw: 'me@h.org', text: 'me@h.org', url: 'mailto:me@h.org' },
  ])
})

test('no link is null', () => {
  const linkifier = linkify()
  assert.equal(linkifier.match('no link: at all.'), null)
  assert.equal(linkifier.match(''), null)
  assert.equal(linkifier.test('no link'), false)
  assert.equal(linkifier.pretest('no link'), false)
  assert.equal(linkifier.test('http://h.org'), true)
})

test('delimiters are no part of a link', () => {
  const [link] = linkify().match('<http://h.org/a>')
  assert.deepEqual([link.index, link.lastIndex], [1, 15])
})

test('what is without a scheme is chosen', () => {
  const text = 'h.org/a, 1.2.3.4, //h.org/b, node.js and www.h.org'
  const linkifier = linkify()
  assert.deepEqual(urls(linkifier, text), ['//h.org/b'])
  linkifier.set({ fuzzyLink: true })
  assert.deepEqual(urls(linkifier, text), ['http://h.org/a', '//h.org/b', 'http://www.h.org'])
  linkifier.set({ fuzzyIP: true }).tlds('js', true)
  assert.deepEqual(urls(linkifier, text), ['http://h.org/a', 'http://1.2.3.4', '//h.org/b', 'http://node.js', 'http://www.h.org'])
  linkifier.tlds(['js'])
  assert.ok(!urls(linkifier, text).includes('http://h.org/a'))
  assert.deepEqual(urls(linkify({ fuzzyEmail: false }), 'me@h.org'), [])
})

test('schemes are added and removed', () => {
  const linkifier = linkify()
  assert.deepEqual(urls(linkifier, 'git:h.org git://h.org/a'), [])
  linkifier.add('git:', 'http:')
  assert.deepEqual(urls(linkifier, 'git://h.org/a'), ['git://h.org/a'])
  linkifier.add('http:', null)
  assert.deepEqual(urls(linkifier, 'http://h.org git://h.org/a'), ['git://h.org/a'])
})

test('without a schema there is no link', () => {
  const linkifier = linkify()
  for (const name of ['http:', 'https:', 'ftp:', 'mailto:', '//']) linkifier.add(name, null)
  assert.deepEqual(urls(linkifier, 'http://h.org www.h.org h.org me@h.org //h.org mailto:me@h.org'), [])
})

test('a prefix with a test of its own', () => {
  const linkifier = linkify()
  linkifier.add('@', {
    validate: (text, position) => text.slice(position).match(/^[a-z0-9_]+/)?.[0].length ?? 0,
    normalize: (link) => { link.url = `https://h.org/${link.raw.slice(1)}` },
  })
  linkifier.add('#', { validate: /^\d+/ })
  assert.deepEqual(urls(linkifier, 'by @joe, me@h.org and #17 http://h.org/@you#3'),
    ['https://h.org/joe', 'mailto:me@h.org', '#17', 'http://h.org/@you#3'])
  linkifier.add('@', null)
  assert.deepEqual(urls(linkifier, 'by @joe'), [])
})

test('at the start, and at a place', () => {
  const linkifier = linkify()
  assert.equal(linkifier.matchAtStart('http://h.org/a b').url, 'http://h.org/a')
  assert.equal(linkifier.matchAtStart('x http://h.org/a'), null)
  assert.equal(linkifier.matchAtStart('no:link'), null)
  assert.equal(linkifier.testSchemaAt('at http://h.org/a b', 'http:', 8), 9)
  assert.equal(linkifier.testSchemaAt('at http:// b', 'http:', 8), 0)
  assert.equal(linkifier.testSchemaAt('at no:x', 'no:', 6), 0)
})

test('options of the search', () => {
  assert.deepEqual(urls(linkify({ refang: true }), 'hxxp://h[.]org/a'), ['http://h.org/a'])
  assert.throws(() => linkify({ fuzzy: true }), { name: 'TypeError', message: /^unexpected option "fuzzy"/ })
})

test('no link is within another', () => {
  const linkifier = linkify({ fuzzyLink: true }).add('@', { validate: /^[a-z]+/ })
  for (const text of ['http://a.com/b.com@joe,c.com', 'a.com/b.com/@joe b.com', '//a.com//b.com @joe.com', 'joe@a.com,b.com']) {
    const links = linkifier.match(text)
    links.slice(1).forEach((link, i) => assert.ok(links[i].lastIndex <= link.index, text))
  }
})

test('time is linear', () => {
  const linkifier = linkify({ fuzzyLink: true })
  const texts = ['a.', '//a.b', 'a.com ', 'a.com,', 'a.com/', 'http://h.org/ ', '@', 'a@b.c ', '//', '//a.b ', ':', '.com.', '_', '-a.com-']
  // In quadratic time these would take minutes.
  for (const text of texts.map((text) => text.repeat(10000))) {
    linkifier.match(text)
    linkifier.matchAtStart(text)
  }
})
