// The interface of linkify-it, so that `md.linkify = linkify()` works in markdown-it.

import { details } from './details.js'
import { typeOf } from './options.js'
import { Finder } from './finder.js'

// What a host without a scheme must end in, unless `tlds` says otherwise: the same as in linkify-it, of which those with two
// letters are the countries.
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
// What a host has besides hyphens.
const LETTER = String.raw`[^\s\p{P}\p{Cc}<>$+=^\x60|｜]`
const SCHEME = /^[a-z][a-z0-9+.-]*:$/i

// As in linkify-it.
const fuzzyDefaults = { fuzzyLink: false, fuzzyEmail: true, fuzzyIP: false }

// The schemes that are links, as in linkify-it: others are added.
const SCHEMAS = ['http:', 'https:', 'ftp:', 'mailto:', '//']

const RELATIVE = /(?<![\p{L}\p{N}:/_])\/\/(?=localhost\b|[^\s/.]+\.[^\s/.])/giu
// The longest link but those that the search itself finds, in UTF-16 units: as in linkify-it.
const WORD = /\S{1,10000}/y

function wordAt(text, index) {
  WORD.lastIndex = index
  return WORD.exec(text)?.[0] ?? ''
}

// Whether a link may start at `index`, or be from there to `end`: whether none of `links` is there. Both are in order, so the time
// is that of one pass.
function freeOf(links) {
  let next = 0
  return (index, end = index + 1) => {
    while (next < links.length && links[next].lastIndex <= index) next++
    return next === links.length || end <= links[next].index
  }
}

// The links that `link` makes of what `pattern` matches, where they are free.
function matched(text, pattern, free, link) {
  const links = []
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { 0: prefix, index } = found
    if (!free(index)) continue
    const made = link(index, prefix)
    if (made === null || !free(index, made.lastIndex)) continue
    links.push(made)
    pattern.lastIndex = made.lastIndex
  }
  return links
}

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

class Link {
  constructor(schema, index, lastIndex, raw) {
    this.schema = schema
    this.index = index
    this.lastIndex = lastIndex
    this.raw = raw
    this.text = raw
    this.url = raw
  }
}

class Linkify {
  #options
  #fuzzy = { ...fuzzyDefaults }
  #schemas = new Map(SCHEMAS.map((name) => [name, {}]))
  #removed = new Set()
  #tlds = TLDS
  // These are made anew after each change.
  #finder = null
  #names = null
  #prefixes = null

  constructor(options = {}) {
    if (options === null || typeof options !== 'object') {
      throw new TypeError(`expected an object of options, found ${typeOf(options)}`)
    }
    const { fuzzyLink, fuzzyEmail, fuzzyIP, ...rest } = options
    // A link of a page is a piece of its text.
    this.#options = { join: 'none', ...rest }
    this.set({ fuzzyLink, fuzzyEmail, fuzzyIP })
    // Wrong options are an error here, not in the middle of a page.
    this.#compiled()
  }

  /// Sets fuzzyLink, fuzzyEmail and fuzzyIP, which say what is a link without a scheme.
  set(options = {}) {
    for (const name of Object.keys(fuzzyDefaults)) if (options[name] !== undefined) this.#fuzzy[name] = options[name]
    return this.#changed()
  }

  /// Adds, replaces or, with null, removes what starts with `schema`: `{ validate, normalize }`, or the name of another schema.
  add(schema, definition = null) {
    if (typeof definition === 'string') definition = this.#schemas.get(definition) ?? {}
    if (definition === null) this.#schemas.delete(schema)
    else this.#schemas.set(schema, definition)
    if (definition === null) this.#removed.add(schema)
    else this.#removed.delete(schema)
    return this.#changed()
  }

  /// Replaces, or with `keepOld` extends, the list of what a host without a scheme may end in.
  tlds(list, keepOld = false) {
    const names = Array.isArray(list) ? list : [list]
    this.#tlds = keepOld ? [...this.#tlds, ...names] : names
    return this.#changed()
  }

  #changed() {
    this.#finder = this.#names = this.#prefixes = null
    return this
  }

  #compiled() {
    if (this.#finder !== null) return
    const { fuzzyLink, fuzzyEmail, fuzzyIP } = this.#fuzzy
    const schemes = [...this.#schemas].filter(([name, { validate }]) => SCHEME.test(name) && !validate)
    const names = schemes.map(([name]) => name.slice(0, -1))
    const known = names.filter((name) => !SCHEMAS.includes(`${name}:`))
    // The addresses of mail without a scheme are of this one.
    if (fuzzyEmail && this.#schemas.has('mailto:')) names.push('mailto')
    this.#finder = new Finder({
      iri: 'all', hosts: fuzzyLink, addresses: fuzzyEmail, schemes: names,
      known: known.length === 0 ? undefined : known, ...this.#options,
    })
    const ends = [...this.#tlds.map(escaped), PUNYCODE].join('|')
    const ip = fuzzyIP ? String.raw`|(?:\d{1,3}\.){3}\d{1,3}` : ''
    const name = String.raw`(?:(?!-)(?:${LETTER}|-)+\.)+(?:${ends})`
    const before = String.raw`(?<!${LETTER}|[_@/:.\\-])`
    this.#names = fuzzyLink && this.#schemas.has('http:') ? new RegExp(String.raw`${before}(?:${name}${ip})(?!${LETTER}|[_@-]|\.${LETTER})`, 'giu') : null
    const custom = [...this.#schemas].filter(([, { validate }]) => validate).map(([name]) => escaped(name))
    this.#prefixes = custom.length === 0 ? null : new RegExp(custom.sort((a, b) => b.length - a.length).join('|'), 'gi')
  }

  /// Whether `text` may have a link: a test of a few characters.
  pretest(text) {
    this.#compiled()
    return text.includes(':') || text.includes('@') || text.includes('.') || text.includes('//')
      || (this.#prefixes !== null && text.search(this.#prefixes) >= 0)
  }

  test(text) {
    return this.match(text) !== null
  }

  /// How long what follows `schema` is, which ends at `position`; 0 if that is no link.
  testSchemaAt(text, schema, position) {
    this.#compiled()
    const definition = this.#schemas.get(schema.toLowerCase())
    if (definition === undefined) return 0
    if (definition.validate) return this.#validated(definition, text, position)
    return Math.max(0, this.#lengthAt(text, position - schema.length) - schema.length)
  }

  // How long the link is that starts at `index`, or 0.
  #lengthAt(text, index) {
    const word = wordAt(text, index)
    const source = word.startsWith('//') ? `http:${word}` : word
    const [first] = this.#finder.findAll(source)
    if (first === undefined || first.segments[0][0] !== 0) return 0
    // A number that is no port is a sign that the word is no host.
    if (source !== word && details(first).port === null) return 0
    return first.segments.at(-1)[1] - (source.length - word.length)
  }

  #validated({ validate }, text, position) {
    if (validate instanceof RegExp) {
      const [found] = text.slice(position).match(validate) ?? ['']
      return found.length
    }
    return Number(validate(text, position, this))
  }

  /// The link with a scheme that `text` starts with, or null.
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

  /// The links of `text`, or null if it has none.
  match(text) {
    if (!this.pretest(text)) return null
    // It is between words, and as long as a blank.
    return this.#within(text.includes(BAR) ? text.replaceAll(BAR, ' ') : text)
  }

  #within(searched) {
    let links = this.#found(searched)
    for (const more of [this.#custom, this.#relative, this.#named]) {
      const added = more.call(this, searched, freeOf(links))
      if (added.length > 0) links = [...links, ...added].sort((a, b) => a.index - b.index)
    }
    return links.length === 0 ? null : links
  }

  #found(text) {
    const links = []
    for (const match of this.#finder.findAll(text)) {
      const { segments, url } = match
      const [index, lastIndex] = [segments[0][0], segments.at(-1)[1]]
      const schema = match.hasScheme ? url.slice(0, url.indexOf(':') + 1).toLowerCase() : match.href.startsWith('mailto:') ? 'mailto:' : ''
      if (this.#removed.has(schema === '' ? 'http:' : schema) || text[index - 1] === '_') continue
      links.push(this.#link(schema, text, index, lastIndex, match.href, url))
    }
    return links
  }

  #link(schema, text, index, lastIndex, href, shown) {
    const link = new Link(schema, index, lastIndex, text.slice(index, lastIndex))
    if (shown !== undefined) link.text = link.url = shown
    const { normalize } = this.#schemas.get(schema) ?? {}
    if (normalize) normalize(link, this)
    else this.normalize(link)
    return link
  }

  // What starts with a prefix that has a test of its own.
  #custom(text, free) {
    if (this.#prefixes === null) return []
    return matched(text, this.#prefixes, free, (index, prefix) => {
      const schema = this.#schemas.has(prefix) ? prefix : prefix.toLowerCase()
      const definition = this.#schemas.get(schema)
      const position = index + prefix.length
      if (definition === undefined || (index > 0 && /[\p{L}\p{N}_]/u.test(text[index - 1]))) return null
      const length = this.#validated(definition, text, position)
      return length > 0 ? this.#link(schema, text, index, position + length) : null
    })
  }

  // `//h.org/a`.
  #relative(text, free) {
    if (!this.#schemas.has('//') || !text.includes('//')) return []
    return matched(text, RELATIVE, free, (index) => {
      const length = this.#lengthAt(text, index)
      return length > 2 ? this.#link('//', text, index, index + length) : null
    })
  }

  // Names without a scheme, and what follows them.
  #named(text, free) {
    if (this.#names === null || this.#removed.has('http:') || !text.includes('.')) return []
    return matched(text, this.#names, free, (index) => {
      const length = this.#lengthAt(`//${wordAt(text, index)}`, 0) - 2
      return length > 0 ? this.#link('', text, index, index + length) : null
    })
  }

  /// Adds an implied scheme to the URL of a link.
  normalize(link) {
    if (link.schema === '') link.url = `http://${link.url}`
    if (link.schema === 'mailto:' && !/^mailto:/i.test(link.url)) link.url = `mailto:${link.url}`
  }

  onCompile() {}
}

export function linkify(options) {
  return new Linkify(options)
}
