// Runs the fixtures of linkifyjs and Autolinker.js with all four libraries, and prints a table of how many texts have the links that
// the fixture expects:
//
//     node bindings/js/tools/others.mjs LINKIFYJS AUTOLINKER NODE_MODULES
//
// The first two are clones of their repositories, the third a folder with the packages linkifyjs, autolinker, linkify-it and esbuild.
// Only texts are compared, since a page is no text: those without `<`. Links of telephone numbers, hashtags and names are no URLs.

import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { findAll, linkify } from '../dist/index.mjs'

const [linkifyjs, autolinker, modules] = process.argv.slice(2).map((path) => resolve(path))
const load = createRequire(join(modules, 'x.js'))

// Each text with the links that are expected, as they are written in it.
function ofLinkifyjs() {
  const source = readFileSync(join(linkifyjs, 'test/spec/linkifyjs/parser.test.mjs'), 'utf8')
  const [, list] = /const tests = (\[[\s\S]*?\n\]);/.exec(source)
  const [Text, Url, Email, Nl] = ['text', 'url', 'email', 'nl']
  const tests = new Function('Text', 'Url', 'Email', 'Nl', `return ${list}`)(Text, Url, Email, Nl)
  return tests.map(([text, types, values]) => [text, values.filter((_, i) => types[i] === Url || types[i] === Email)])
}

// The text that a test passes to Autolinker, for which `expect` waits.
class Linked extends String {
  constructor(text) {
    super(text)
    this.text = text
  }
}

const HREF = /<a href="([^"]*)"/g
const isUrl = (href) => !/^tel:|^https:\/\/(www\.)?(twitter|facebook|instagram|soundcloud|tiktok|youtube)\.com\/(hashtag\/|@)?\w+$|^https:\/\/x\.com\//.test(href)

// The specs, run with a link() that keeps its text, and an expect() that notes what is expected of it.
function ofAutolinker() {
  const { transformSync } = load('esbuild')
  const cases = new Map()
  const note = (actual, expected) => {
    if (!(actual instanceof Linked) || typeof expected !== 'string' || /</.test(actual.text)) return
    cases.set(actual.text, [...expected.matchAll(HREF)].map(([, href]) => href.replaceAll('&amp;', '&')).filter(isUrl))
  }
  class Autolinker {
    constructor(options = {}) {
      this.options = options
    }

    // Options that choose what is linked are another question.
    link(text) {
      const isChosen = ['urls', 'email', 'stripTrailingSlash', 'decodePercentEncoding', 'replaceFn', 'sanitizeHtml'].some((name) => name in this.options)
      return isChosen ? String(text) : new Linked(text)
    }

    static link(text, options) {
      return new Autolinker(options).link(text)
    }

    parse() {
      return []
    }
  }
  const equal = (actual) => Object.assign((expected) => note(actual, expected), { be: { true: 0 } })
  const expect = (actual) => ({ to: new Proxy({ equal: equal(actual), eql: equal(actual) }, { get: (of, name) => of[name] ?? expect(actual).to ?? of }) })
  const attempt = (name, body) => {
    try {
      body?.call({})
    } catch {
      // It is about what is not a text.
    }
  }
  const loaded = new Map()
  const run = (path) => {
    if (loaded.has(path)) return loaded.get(path)
    const module = { exports: {} }
    loaded.set(path, module.exports)
    const { code } = transformSync(readFileSync(path, 'utf8'), { loader: 'ts', format: 'cjs' })
    const find = (name) => {
      if (name === 'chai') return { expect, default: { expect } }
      if (/src\/autolinker$/.test(name)) return { __esModule: true, default: Autolinker, Autolinker }
      return name.startsWith('.') ? run(join(dirname(path), `${name}.ts`)) : {}
    }
    new Function('require', 'module', 'exports', 'describe', 'it', 'beforeEach', 'before', 'afterEach', code)(
      find, module, module.exports, attempt, attempt, attempt, attempt, () => {})
    Object.assign(loaded.get(path), module.exports)
    return module.exports
  }
  const specs = join(autolinker, 'tests')
  for (const name of readdirSync(specs).filter((name) => /^autolinker-(url|email).*\.spec\.ts$/.test(name))) attempt(name, () => run(join(specs, name)))
  return [...cases]
}

const linkifyIt = load('linkify-it')
const other = (linkifyIt.linkifyit ?? linkifyIt.default ?? linkifyIt)().set({ fuzzyIP: true })
const ours = linkify({}).set({ fuzzyLink: true, fuzzyIP: true })
const { find } = load('linkifyjs')
const { Autolinker } = load('autolinker')
const LIBRARIES = {
  linkifyjs: (text) => find(text).map(({ value, href }) => [value, href]),
  autolinker: (text) => new Autolinker().parse(text).filter((match) => /url|email/.test(match.type)).map((match) => [match.getMatchedText(), match.getAnchorHref()]),
  'linkify-it': (text) => (other.match(text) ?? []).map(({ raw, url }) => [raw, url]),
  'linkify()': (text) => (ours.match(text) ?? []).map(({ raw, url }) => [raw, url]),
  findAll: (text) => findAll(text, { schemeless: ['hosts', 'emails'], join: 'none', iri: 'all' }).map((match) => [match.url, match.href]),
}

const hasScheme = (text) => /[a-z]:\/\/|mailto:/i.test(text)

// `side` is what of a link the fixture names: its text, or its address.
function score(name, cases, side) {
  const same = (library, [text, wanted]) => JSON.stringify(LIBRARIES[library](text).map((link) => link[side])) === JSON.stringify(wanted)
  const scores = Object.keys(LIBRARIES).map((library) => `${library} ${cases.filter((each) => same(library, each)).length}`)
  console.log(`${name}: ${cases.length} texts: ${scores.join(', ')}`)
}

for (const [name, cases, side] of [['linkifyjs', ofLinkifyjs(), 0], ['Autolinker', ofAutolinker(), 1]]) {
  score(name, cases, side)
  const schemes = ([text, links]) => links.length > 0 && (side === 0 ? links.every(hasScheme) : hasScheme(text))
  score(`${name}, only links with schemes`, cases.filter(schemes), side)
}
