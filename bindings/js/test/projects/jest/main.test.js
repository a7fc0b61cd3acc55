const { details, findAll } = require('urlgrep')

test('in a page of jsdom, which has no TextEncoder', () => {
  expect(typeof document).toBe('object')
  expect(typeof TextEncoder).toBe('undefined')
  const [match] = findAll('at <URL:http://h.org/löng-\n  path>.')
  expect(match).toMatchObject({ url: 'http://h.org/löng-path', pieces: [[8, 26], [29, 33]] })
  expect(details(match).host).toBe('h.org')
})
