// Where TextEncoder and TextDecoder are missing.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

const { TextEncoder, TextDecoder } = globalThis
delete globalThis.TextEncoder
delete globalThis.TextDecoder
const { details, findAll } = await import('../dist/index.mjs?without TextEncoder')
after(() => Object.assign(globalThis, { TextEncoder, TextDecoder }))

test('the package needs neither of them', () => {
  assert.equal(typeof globalThis.TextEncoder, 'undefined')
  const text = 'é 例 \u{1F600} \ud800 % {"u":"http:\\/\\/h.org\\/é例\u{1F600}"}'
  const [match] = findAll(text, { iri: 'all' })
  assert.equal(match.url, 'http://h.org/é例\u{1F600}')
  assert.equal(text.slice(match.start, match.end), 'http:\\/\\/h.org\\/é例\u{1F600}')
  assert.equal(details({ href: 'http://例.org/\ud800' }).host, '例.org')
  // Longer than the room that there is at first.
  assert.equal(findAll(`${'例'.repeat(5000)} http://h.org/`)[0].start, 5001)
})
