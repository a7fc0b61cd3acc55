// What holds for every text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Finder, findAll } from '../dist/index.mjs'

const TOKENS = [
  'http://', 'h.org', '/a', '<', '>', '<URL:', '"', ' ', '\n', '\n> ', '-\n', '-', '.', ',', ')', '(', '&amp;', '\\/', ':', '//',
  'www.', 'me@h.org', 'ü', '例', '\u{1F600}', '\ud83d', '\ude00', '\u200b', '\u202e', '\0', '\r', '%20', '#x', 'hxxp://h[.]org',
  'mailto:', '｜', '=\n', '\u0301', '\u00a0',
]

// The same texts in each run.
function* texts(count) {
  let seed = 1738
  const next = (limit) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed >>> 8) % limit
  }
  for (let i = 0; i < count; i++) {
    let text = ''
    for (let n = next(24); n >= 0; n--) text += TOKENS[next(TOKENS.length)]
    yield text
  }
}

const OPTIONS = [{}, { join: 'none', schemeless: 'hosts,emails', hyphen: 'both' }, { schemeless: ['hosts', 'emails'], join: 'likely', iri: 'all' }, { refang: true, hyphen: 'both', explain: true }]

test('offsets are in the text and in order, and the pieces are the URL', () => {
  for (const options of OPTIONS) {
    const finder = new Finder(options)
    for (const text of texts(4000)) {
      let start = 0
      for (const match of finder.findAll(text)) {
        const said = `${JSON.stringify(text)} ${JSON.stringify(match)}`
        assert.ok(start <= match.start && match.start < match.end && match.end <= text.length, said)
        start = match.start
        let at = match.start
        for (const [from, to] of match.pieces) {
          assert.ok(at <= from && from < to && to <= match.end, said)
          at = to
        }
        const pieces = match.pieces.map(([from, to]) => text.slice(from, to)).join('').toWellFormed?.()
        const written = text.slice(match.start, match.end)
        const isVerbatim = match.form !== 'defanged' && !written.includes('\\') && !written.includes('&')
        if (isVerbatim && pieces !== undefined) assert.equal(match.url.toWellFormed(), pieces, said)
      }
    }
  }
})

test('what the quick test refuses has no match', () => {
  for (const options of OPTIONS) {
    const finder = new Finder(options)
    // A text before it has all characters that the test looks for, and no match.
    for (const text of texts(4000)) {
      if (finder.pretest(text)) continue
      assert.deepEqual(finder.findAll(`: . @ [\n\n${text}`).map(({ url }) => url), [], JSON.stringify(text))
    }
  }
})

test('a text after an empty line has the matches that it has alone', () => {
  for (const text of texts(4000)) {
    const before = '\u{1F600} x: y.\n\n'
    const alone = findAll(text).map((match) => match.start + before.length)
    assert.deepEqual(findAll(before + text).map((match) => match.start), alone, JSON.stringify(text))
  }
})

test('nor has what it refuses where a blank is after the colon', () => {
  const parts = [['', '<', '"', '(', '<URL:', 'URL:', "'", '“'], ['http:', 'mailto:', 'URL:', 'x'], [' ', '\n', '\r\n', '\t', '\n> '], ['//h.org/a', 'me@\nh.org', 'www. h.org', ' //h'], ['', '>', '"', ')']]
  const all = parts.reduce((texts, part) => texts.flatMap((text) => part.map((end) => text + end)), [''])
  for (const join of ['none', 'delimited', 'likely']) {
    const finder = new Finder({ join, schemeless: ['hosts', 'emails'] })
    for (const text of all) if (!finder.pretest(text)) assert.deepEqual(finder.findAll(`: . @ [ x:y\n\n${text}`).map(({ url }) => url), [], JSON.stringify(text))
  }
})
