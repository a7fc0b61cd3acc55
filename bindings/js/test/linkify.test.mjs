import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkify, urlgrep } from '../dist/index.mjs'

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
  const linkifier = linkify({ fuzzyLink: false })
  assert.deepEqual(urls(linkifier, text), ['//h.org/b'])
  assert.deepEqual(urls(linkify(), text), ['http://h.org/a', '//h.org/b', 'http://www.h.org'])
  linkifier.set({ fuzzyLink: true })
  assert.deepEqual(urls(linkifier, text), ['http://h.org/a', '//h.org/b', 'http://www.h.org'])
  linkifier.set({ fuzzyIP: true }).tlds('js', true)
  assert.deepEqual(urls(linkifier, text), ['http://h.org/a', 'http://1.2.3.4', '//h.org/b', 'http://node.js', 'http://www.h.org'])
  linkifier.tlds(['js'])
  assert.ok(!urls(linkifier, text).includes('http://h.org/a'))
  assert.deepEqual(urls(linkify({ tlds: ['js'] }), text), ['//h.org/b', 'http://node.js'])
  assert.deepEqual(urls(linkify({ fuzzyEmail: false }), 'me@h.org'), [])
})

test('brackets and marks that a reader does not see as part of a link', () => {
  const cut = (text) => linkify().match(text).map((link) => link.raw)
  assert.deepEqual(cut('at http://h.org/a[two words]'), ['http://h.org/a'])
  assert.deepEqual(cut('http://h.org/b[screencast'), ['http://h.org/b'])
  assert.deepEqual(cut('http://h.org/{/other'), ['http://h.org/'])
  assert.deepEqual(cut('RT: http://h.org/cut…'), ['http://h.org/cut'])
  assert.deepEqual(cut('http://h.org/Blur_[band] x'), ['http://h.org/Blur_[band]'])
  assert.deepEqual(cut('请看http://h.org/a查看'), ['http://h.org/a'])
})

test('schemes are added and removed', () => {
  const linkifier = linkify({ fuzzyLink: false })
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
  // As in linkify-it, a blank or a mark is before the prefix, but no underscore.
  assert.deepEqual(urls(linkifier, '(@a) x@b _@c \u{1F600}@d =@e >@f'), ['https://h.org/a', 'https://h.org/f'])
  linkifier.add('@', null)
  assert.deepEqual(urls(linkifier, 'by @joe'), [])
  for (const wrong of [5, [], { validate: 5 }]) assert.throws(() => linkifier.add('x:', wrong), { message: /^expected { validate, .* for "x:"/ })
})

test('schemas in the constructor', () => {
  const schemas = { 'git:': 'http:', '#': { validate: /^\d+/ }, 'ftp:': null }
  assert.deepEqual(urls(linkify(schemas), 'git://h.org/a #17 ftp://h.org/ h.org'), ['git://h.org/a', '#17', 'http://h.org'])
  assert.deepEqual(urls(new linkify(schemas, { fuzzyLink: false }), 'git://h.org/a #17 h.org'), ['git://h.org/a', '#17'])
  // A name of letters alone needs the options.
  assert.deepEqual(urls(linkify({ PROJ: { validate: /^-\d+/ } }, {}), 'see PROJ-12'), ['PROJ-12'])
  assert.throws(() => linkify({ PROJ: 'http:' }), { message: /^unknown option "PROJ"/ })
  assert.throws(() => linkify('git:'), { name: 'TypeError' })
  assert.throws(() => linkify({}, null), { name: 'TypeError' })
})

test('a prefix that is never a link', () => {
  const linkifier = linkify().add('//', { validate: () => 0 }).add('ftp:', { validate: () => 0 })
  assert.deepEqual(urls(linkifier, '//h.org/a ftp://h.org/b http://h.org/c'), ['http://h.org/c'])
})

test('validators make their expressions from the sources of re', () => {
  const linkifier = linkify({ fuzzyLink: false })
  const tail = (name, text) => new RegExp(`^${linkifier.re[name]}`, 'i').exec(text)?.[0]
  linkifier.add('@', {
    validate: (text, position, self) => {
      self.re.mention ??= new RegExp(`^[a-z0-9_]{1,15}(?!_)(?=$|${self.re.src_ZPCc})`, 'i')
      return self.re.mention.exec(text.slice(position))?.[0].length ?? 0
    },
  })
  assert.deepEqual(urls(linkifier, 'by @joe, @ann\u3000@toolongforanameofsixteen @x\u{1F600}'), ['@joe', '@ann'])
  assert.ok(linkifier.re.mention)
  linkifier.add('www.', {
    validate: (text, position, { re }) => new RegExp(`^${re.src_host_port_strict}${re.src_path}`, 'i').exec(text.slice(position))?.[0].length ?? 0,
  })
  assert.deepEqual(urls(linkifier, 'www.h.org:80/a_(b)?c=d. www.h-.org www.h.org/(a www.例え.jp/'), ['www.h.org:80/a_(b)?c=d', 'www.h.org/', 'www.例え.jp/'])
  assert.equal(linkifier.re.mention, undefined)
  for (const [name, text, wanted] of [
    ['src_Z', '\u00a0x', '\u00a0'], ['src_P', '\u{10100}x', '\u{10100}'], ['src_Cc', '\0', '\0'], ['src_Any', '\u{1F600}x', '\u{1F600}'],
    ['src_ZCc', '.', undefined], ['src_pseudo_letter', '例', '例'], ['src_pseudo_letter', '.', undefined], ['src_pseudo_letter', '>', undefined],
    ['src_ip4', '1.2.3.4', '1.2.3.4'], ['src_auth', 'me:x@h.org', 'me:x@'], ['src_port', ':80/', ':80'], ['src_xn', 'xn--a-b.org', 'xn--a-b'],
    ['src_domain', 'a-b.org', 'a-b'], ['src_domain_root', 'org/', 'org'], ['src_host', 'a.b-c.org/', 'a.b-c.org'],
    ['src_host_strict', 'h.org.', 'h.org'], ['src_host_strict', 'h_', undefined], ['src_host_port_strict', 'h.org:1:2', undefined],
    ['src_path', '/a.b, c', '/a.b'], ['src_path', '?a=[b]!', '?a=[b]'], ['src_path', 'x', ''], ['src_email_name', 'a.b..c', 'a.b'],
  ]) assert.equal(tail(name, text), wanted, `${name} ${text}`)
  assert.equal(new RegExp(`^(?:${linkifier.tlds(['js', 'c+']).re.src_tlds})$`).test('c+'), true)
})

test('what test has found is not found twice, nor kept', () => {
  const linkifier = linkify()
  assert.equal(linkifier.test('http://h.org/'), true)
  const links = linkifier.match('http://h.org/')
  assert.equal(links[0].url, 'http://h.org/')
  assert.notEqual(linkifier.match('http://h.org/'), links)
  linkifier.test('h.org')
  assert.deepEqual(linkifier.match('x'), null)
  linkifier.test('h.org')
  assert.deepEqual(urls(linkifier.set({ fuzzyLink: false }), 'h.org'), [])
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
  assert.throws(() => linkify({ fuzzy: true }), { name: 'TypeError', message: /^unknown option "fuzzy"/ })
  assert.throws(() => linkify().set({ join: 'none' }), { name: 'TypeError', message: /^unknown option "join"; expected one of fuzzyLink, / })
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

test('the plugin of markdown-it', () => {
  const md = { options: {}, set(options) { Object.assign(this.options, options) } }
  urlgrep(md, { fuzzyLink: false })
  assert.deepEqual(md.options, { linkify: true })
  assert.equal(md.linkify.match('h.org http://h.org/a').length, 1)
})
