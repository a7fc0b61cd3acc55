import { expect, test } from 'vitest'
import { details, findAll } from 'urlgrep'

test('a match is data', () => {
  const [match] = findAll('at <URL:http://h.org/long-\n  path>.')
  expect(structuredClone(match)).toEqual(match)
  expect([match.url, details(match).host]).toEqual(['http://h.org/long-path', 'h.org'])
})
