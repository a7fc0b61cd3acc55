// The interface of linkify-it, and a plugin for markdown-it that uses it.

import { compile, search } from './engine.js'
import { pretestOf } from './finder.js'
import { compiled, typeOf } from './options.js'
import { sources } from './sources.js'

// The domains in which a host without a scheme must end, unless `tlds` sets others: as in linkify-it; those with two
// letters are the country domains.
const TLDS = [
  ...'biz com edu gov net org pro web xxx aero asia coop info museum name shop рф'.split(' '),
  ...('ac ad ae af ag ai al am an ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf '
    + 'cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi '
    + 'gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky '
    + 'kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni '
    + 'nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so '
    + 'sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt '
    + 'za zm zw').split(' '),
]
const PUNYCODE = 'xn--[a-z0-9-]{1,59}'
const BAR = '｜'
// The characters of a host other than hyphens.
const LETTER = String.raw`[^\s\p{P}\p{Cc}<>$+=^\x60|｜]`
const SCHEME = /^[a-z][a-z0-9+.-]*:$/i

// As in linkify-it 5, which markdown-it 14 uses.
const fuzzyDefaults = { fuzzyLink: true, fuzzyEmail: true, fuzzyIP: false }

// The schemes that are links by default, as in linkify-it; `add` adds others.
const SCHEMAS = ['http:', 'https:', 'ftp:', 'mailto:', '//']

// The character that may precede a schema with its own validator, as in linkify-it.
const BEFORE_PREFIX = /^(?!_)[\p{P}\p{Z}\p{Cc}<>｜]$/u
const RELATIVE = /(?<![\p{L}\p{N}:/_])\/\/(?=localhost\b|[^\s/.]+\.[^\s/.])/iuy
const PORT = /^\/\/[^/?#]*:(\d{5,})/
// The maximum length of a link in UTF-16 units, as in linkify-it; the links that the search itself finds are not limited.
const WORD = /\S{1,10000}/y

function wordAt(text, index) {
  WORD.lastIndex = index
  return WORD.exec(text)?.[0] ?? ''
}

// Returns the start of the word that contains `index`, at least `floor`.
function wordStart(text, index, floor) {
  let start = index
  while (start > floor && !isBlank(text.charCodeAt(start - 1))) start--
  return start
}

const isBlank = (unit) => unit <= 0x20 || (unit > 0x7f && /\s/.test(String.fromCharCode(unit)))

// Returns true if no link in `links` overlaps `index..end`. Calls and links are in ascending order, so all calls together take one pass.
function freeOf(links) {
  let next = 0
  return (index, end = index + 1) => {
    while (next < links.length && links[next].lastIndex <= index) next++
    return next === links.length || end <= links[next].index
  }
}

// Adds links: `next` returns the next position to try, `link` creates the link there, and a link that overlaps another one is dropped.
function linksAt(next, free, link) {
  const links = []
  let index = next(0)
  while (index >= 0) {
    const made = free(index) ? link(index) : null
    const isFree = made !== null && free(index, made.lastIndex)
    if (isFree) links.push(made)
    index = next(isFree ? made.lastIndex : index + 1)
  }
  return links
}

// All links, in order.
const merged = (links, added) => (added.length === 0 ? links : [...links, ...added].sort((a, b) => a.index - b.index))

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

class Link {
  constructor(schema, index, lastIndex, raw, url) {
    this.schema = schema
    this.index = index
    this.lastIndex = lastIndex
    this.raw = raw
    this.text = url
    this.url = url
  }
}

// The schemas of written and of implied schemes, by their numbers: see match.js.
const IMPLIED_SCHEMAS = [null, '', '', 'mailto:']

// Converts a match to a link: `from` and `to` are the range of its first piece; `more` contains the properties that only some matches have.
function linkOf(text, start, end, flags, from, to, { pieces, url }) {
  const lastIndex = pieces === undefined ? to : pieces.at(-1)[1]
  const raw = text.slice(from, lastIndex)
  const shown = url ?? (pieces === undefined ? raw : pieces.map(([from, to]) => text.slice(from, to)).join(''))
  const schema = IMPLIED_SCHEMAS[flags >>> 24] ?? shown.slice(0, shown.indexOf(':') + 1).toLowerCase()
  return new Link(schema, from, lastIndex, raw, shown)
}

class Linkify {
  #options
  #fuzzy = { ...fuzzyDefaults }
  #schemas = new Map(SCHEMAS.map((name) => [name, {}]))
  #tlds = TLDS
  // These are created again after each change.
  #rules = null
  #mayMatch = null
  #names = null
  #prefixes = null
  #re = null
  // The result of `test`, for the call of `match` that follows in markdown-it.
  #tested = null

  constructor(schemas, options = {}) {
    for (const object of [schemas, options]) {
      if (object === null || typeof object !== 'object') throw new TypeError(`expected an object of options, found ${typeOf(object)}`)
    }
    const { fuzzyLink, fuzzyEmail, fuzzyIP, tlds = TLDS, ...rest } = options
    // A link in a page is one range of its text.
    this.#options = { join: 'none', ...rest }
    this.set({ fuzzyLink, fuzzyEmail, fuzzyIP }).tlds(tlds)
    for (const [schema, definition] of Object.entries(schemas)) this.add(schema, definition)
    // Report wrong options here, not while a page is rendered.
    this.#compiled()
  }

  /// Sources of regular expressions, to which validators may add their own. They are created again after each change.
  get re() {
    this.#re ??= sources(this.#ends())
    return this.#re
  }

  /// Sets fuzzyLink, fuzzyEmail and fuzzyIP, which select the links without a scheme.
  set(options = {}) {
    for (const [name, value] of Object.entries(options)) {
      if (!Object.hasOwn(fuzzyDefaults, name)) {
        throw new TypeError(`unknown option ${JSON.stringify(name)}; expected one of ${Object.keys(fuzzyDefaults).join(', ')}`)
      }
      if (value !== undefined) this.#fuzzy[name] = value
    }
    return this.#changed()
  }

  /// Adds, replaces or, with null, removes the validator of `schema`: `{ validate, normalize }`, or the name of another schema.
  add(schema, definition = null) {
    if (typeof definition === 'string') definition = this.#schemas.get(definition) ?? {}
    const { validate } = definition ?? {}
    const isTest = validate === undefined || typeof validate === 'function' || validate instanceof RegExp
    if (typeof definition !== 'object' || Array.isArray(definition) || !isTest) {
      throw new TypeError(`expected { validate, normalize } for ${JSON.stringify(schema)}, where validate is a function or a RegExp`)
    }
    if (definition === null) this.#schemas.delete(schema)
    else this.#schemas.set(schema, definition)
    return this.#changed()
  }

  /// Replaces, or with `keepOld` extends, the list of top-level domains for hosts without a scheme.
  tlds(list, keepOld = false) {
    const names = Array.isArray(list) ? list : [list]
    this.#tlds = keepOld ? [...this.#tlds, ...names] : names
    return this.#changed()
  }

  #changed() {
    this.#rules?.free()
    this.#rules = this.#names = this.#prefixes = this.#re = this.#tested = null
    return this
  }

  #ends() {
    return [...this.#tlds.map(escaped), PUNYCODE].join('|')
  }

  #compiled() {
    if (this.#rules !== null) return
    const { fuzzyLink, fuzzyEmail, fuzzyIP } = this.#fuzzy
    const schemes = [...this.#schemas].filter(([name, { validate }]) => SCHEME.test(name) && !validate)
    const names = schemes.map(([name]) => name.slice(0, -1))
    const known = names.filter((name) => !SCHEMAS.includes(`${name}:`))
    // Email addresses without a scheme belong to this schema.
    if (fuzzyEmail && this.#schemas.has('mailto:')) names.push('mailto')
    const options = { schemeless: fuzzyEmail ? 'emails' : '', schemes: names, schemeAdd: known, ...this.#options }
    this.#rules = compile(compiled(options))
    this.#mayMatch = pretestOf(options)
    const ip = fuzzyIP ? String.raw`|(?:\d{1,3}\.){3}\d{1,3}` : ''
    const name = String.raw`(?:(?!-)(?:${LETTER}|-)+\.)+(?:${this.#ends()})`
    const before = String.raw`(?<!${LETTER}|[_@/:.\\-])`
    this.#names = fuzzyLink && this.#schemas.has('http:') ? new RegExp(String.raw`${before}(?:${name}${ip})(?!${LETTER}|[_@-]|\.${LETTER})`, 'giu') : null
    const custom = [...this.#schemas].filter(([, { validate }]) => validate).map(([name]) => escaped(name))
    this.#prefixes = custom.length === 0 ? null : new RegExp(custom.sort((a, b) => b.length - a.length).join('|'), 'gi')
  }

  /// Returns true if `text` may contain a link: tests for a few characters.
  pretest(text) {
    this.#compiled()
    return text.includes(':') || text.includes('@') || text.includes('.') || text.includes('//')
      || (this.#prefixes !== null && text.search(this.#prefixes) >= 0)
  }

  test(text) {
    this.#tested = { text, links: this.match(text) }
    return this.#tested.links !== null
  }

  /// Returns the length of the link after `schema`, which ends at `position`; 0 if no link follows.
  testSchemaAt(text, schema, position) {
    this.#compiled()
    const definition = this.#schemas.get(schema.toLowerCase())
    if (definition === undefined) return 0
    if (definition.validate) return this.#validated(definition, text, position)
    return Math.max(0, this.#lengthAt(text, position - schema.length) - schema.length)
  }

  // Returns the length of the link that starts at `index`, or 0.
  #lengthAt(text, index) {
    const word = wordAt(text, index)
    const source = word.startsWith('//') ? `http:${word}` : word
    // A word with an invalid port is not a link.
    if (source !== word && PORT.exec(word)?.[1] > 65535) return 0
    const [first] = search(this.#rules, source, linkOf)
    if (first === undefined || first.index !== 0) return 0
    return first.lastIndex - (source.length - word.length)
  }

  #validated({ validate }, text, position) {
    if (validate instanceof RegExp) {
      const [found] = text.slice(position).match(validate) ?? ['']
      return found.length
    }
    return Number(validate(text, position, this))
  }

  /// Returns the link with a scheme at the start of `text`, or null.
  matchAtStart(text) {
    this.#compiled()
    const [name] = text.match(/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i) ?? [this.#customAt(text)]
    if (name === undefined) return null
    const length = this.testSchemaAt(text, name, name.length)
    return length === 0 ? null : this.#link(name.toLowerCase(), text, 0, name.length + length)
  }

  #customAt(text) {
    return [...this.#schemas.keys()].find((name) => this.#schemas.get(name).validate && text.startsWith(name))
  }

  /// Returns the links of `text`, or null if it contains no link.
  match(text) {
    const tested = this.#tested
    this.#tested = null
    if (tested?.text === text) return tested.links
    this.#compiled()
    // BAR separates words and is one unit long, like a space.
    const links = this.#within(text.includes(BAR) ? text.replaceAll(BAR, ' ') : text)
    return links.length === 0 ? null : links
  }

  #within(text) {
    let links = this.#found(text)
    if (this.#prefixes !== null) links = merged(links, this.#custom(text, links))
    if (text.includes('//')) links = merged(links, this.#relative(text, links))
    if (this.#names !== null) links = merged(links, this.#named(text, links))
    return links
  }

  #found(text) {
    if (!this.#mayMatch(text)) return []
    const links = search(this.#rules, text, linkOf)
    for (const link of links) this.#normalized(link)
    // As in linkify-it, no underscore precedes a link.
    return text.includes('_') ? links.filter(({ index }) => text[index - 1] !== '_') : links
  }

  #link(schema, text, index, lastIndex) {
    const raw = text.slice(index, lastIndex)
    return this.#normalized(new Link(schema, index, lastIndex, raw, raw))
  }

  #normalized(link) {
    const { normalize } = this.#schemas.get(link.schema) ?? {}
    if (normalize) normalize(link, this)
    else this.normalize(link)
    return link
  }

  // The links of schemas with their own validator.
  #custom(text, found) {
    const prefixes = this.#prefixes
    let prefix = ''
    const next = (from) => {
      prefixes.lastIndex = from
      const at = prefixes.exec(text)
      prefix = at?.[0]
      return at?.index ?? -1
    }
    return linksAt(next, freeOf(found), (index) => {
      if (index > 0 && !BEFORE_PREFIX.test(text[index - 1])) return null
      const schema = this.#schemas.has(prefix) ? prefix : prefix.toLowerCase()
      const position = index + prefix.length
      const length = this.#validated(this.#schemas.get(schema), text, position)
      return length > 0 ? this.#link(schema, text, index, position + length) : null
    })
  }

  // `//h.org/a`.
  #relative(text, found) {
    const { validate = false } = this.#schemas.get('//') ?? { validate: true }
    if (validate) return []
    return linksAt((from) => text.indexOf('//', from), freeOf(found), (index) => {
      RELATIVE.lastIndex = index
      const length = RELATIVE.test(text) ? this.#lengthAt(text, index) : 0
      return length > 2 ? this.#link('//', text, index, index + length) : null
    })
  }

  // Names without a scheme, and the path and the query after them.
  #named(text, found) {
    const links = []
    const [isFree, free] = [freeOf(found), freeOf(found)]
    let end = 0
    for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', Math.max(dot + 1, end))) {
      // Most dots end a sentence, or are inside a link.
      if (!(text.charCodeAt(dot + 1) > 0x20) || !isFree(dot)) continue
      const start = wordStart(text, dot, end)
      const word = wordAt(text, start)
      end = start + word.length
      this.#names.lastIndex = 0
      for (let name = this.#names.exec(word); name !== null; name = this.#names.exec(word)) {
        const index = start + name.index
        const length = this.#lengthOf(word.slice(name.index), name[0].length)
        if (length <= 0 || !free(index, index + length)) continue
        links.push(this.#link('', text, index, index + length))
        this.#names.lastIndex = name.index + length
      }
    }
    return links
  }

  // Returns the length of the link that starts with a name of `length` units.
  #lengthOf(text, length) {
    return '/?#:'.includes(text.charAt(length)) && text.length > length ? this.#lengthAt(`//${text}`, 0) - 2 : length
  }

  /// Adds the implied scheme to the URL of a link.
  normalize(link) {
    if (link.schema === '') link.url = `http://${link.url}`
    if (link.schema === 'mailto:' && !/^mailto:/i.test(link.url)) link.url = `mailto:${link.url}`
  }

  onCompile() {}
}

// The names of options consist of letters; a schema contains other characters: `git:`, `@`.
const areOptions = (object) => Object.keys(object ?? {}).every((name) => /^[a-z]+$/i.test(name))

/// Takes the arguments of linkify-it's constructor: schemas and options, or only options.
export function linkify(schemas = {}, options) {
  return options === undefined && areOptions(schemas) ? new Linkify({}, schemas) : new Linkify(schemas, options)
}

/// The plugin of markdown-it.
export function urlgrep(md, ...schemasAndOptions) {
  md.set({ linkify: true })
  md.linkify = linkify(...schemasAndOptions)
}
