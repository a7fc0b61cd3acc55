// A finder, and findAll.

import { compile, search, searchAt } from './engine.js'
import { compiled, listOf, typeOf } from './options.js'
import { Scanner } from './scanner.js'

// Returns true if a `sign` in `text` is followed by a character other than whitespace.
function hasBefore(text, sign) {
  let at = text.indexOf(sign)
  while (at >= 0 && !(text.charCodeAt(at + 1) > 0x20)) at = text.indexOf(sign, at + 1)
  return at >= 0
}

// Returns true if a URL in the text may contain whitespace, even without `join: 'likely'`: between delimiters or in brackets.
const hasDelimiter = (text) => /[<"([]/.test(text)

/// Returns false only if a text contains no match: tests for characters that every match contains. Most short texts have no match, and are not searched.
export function pretestOf({ schemeless = [], refang, join } = {}) {
  if (refang) return () => true
  const kinds = listOf(schemeless)
  const signs = [':', ...(kinds.some((kind) => kind !== 'emails') ? ['.'] : []), ...(kinds.includes('emails') ? ['@'] : [])]
  return (text) => {
    for (let i = 0; i < signs.length; i++) if (hasBefore(text, signs[i])) return true
    return (join === 'likely' || hasDelimiter(text)) && signs.some((sign) => text.includes(sign))
  }
}

export class Finder {
  #rules
  #pretest

  constructor(options) {
    this.#rules = compile(compiled(options))
    this.#pretest = pretestOf(options)
  }

  /// Returns true if `text` may contain a match: tests for a few characters.
  pretest(text) {
    return this.#pretest(text)
  }

  findAll(text) {
    this.#check(text)
    if (!this.pretest(text)) return []
    return search(this.#rules, text)
  }

  isMatch(text) {
    this.#check(text)
    return this.pretest(text) && search(this.#rules, text, () => true).length > 0
  }

  /// Returns the match that covers the UTF-16 unit at `offset`, or null.
  findCovering(text, offset) {
    return this.#findAt(text, offset, false)
  }

  /// Returns the match that starts at the UTF-16 unit `offset`, as if the text began there, or null.
  matchAt(text, offset) {
    return this.#findAt(text, offset, true)
  }

  #findAt(text, offset, anchored) {
    this.#check(text)
    if (!Number.isInteger(offset) || offset < 0) {
      throw new RangeError(`expected an offset from 0, found ${typeof offset === 'number' ? offset : typeOf(offset)}`)
    }
    if (offset >= text.length || !this.pretest(text)) return null
    return searchAt(this.#rules, text, offset, anchored)
  }

  /// A search of a text that arrives in chunks.
  scanner() {
    this.#check('')
    return new Scanner(this.#rules.chunks())
  }

  #check(text) {
    if (typeof text !== 'string') throw new TypeError(`expected a string to search, found ${typeOf(text)}`)
    if (this.#rules === null) throw new Error('this Finder was freed: it cannot search any more')
  }

  free() {
    this.#rules?.free()
    this.#rules = null
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free()
  }
}

// The cached finders of findAll by their options, oldest first; `plain` is the finder without options.
const finders = new Map()
const MOST = 16
let plain

// Free it now: the garbage collector would free its WebAssembly memory only after the current synchronous code.
function evict() {
  const [[key, finder]] = finders
  finder.free()
  finders.delete(key)
}

// The key contains the types of the options, so an invalid value never equals a cached one.
function keyOf(options) {
  let key = typeOf(options)
  for (const name in options) {
    const value = options[name]
    const type = typeof value
    key += `\n${name} ${type} ${type === 'boolean' || type === 'number' ? value : JSON.stringify(value)}`
  }
  return key
}

// The finder of the last call: most calls repeat the options, and then need no key.
const last = { names: [], values: [], finder: null }

function isLast(options) {
  const { names, values } = last
  let count = 0
  for (const name in options) {
    // Compare the content, because the caller may have changed a list.
    if (name !== names[count] || options[name] !== values[count] || typeof values[count] === 'object') return false
    count++
  }
  return count > 0 && count === names.length
}

function finderOf(options) {
  if (options === undefined) return (plain ??= new Finder())
  if (isLast(options)) return last.finder
  const key = keyOf(options)
  let finder = finders.get(key)
  if (finder === undefined) {
    finder = new Finder(options)
    if (finders.size === MOST) evict()
    finders.set(key, finder)
  }
  Object.assign(last, { names: Object.keys(options), values: Object.values(options), finder })
  return finder
}

export function findAll(text, options) {
  return finderOf(options).findAll(text)
}

export function isMatch(text, options) {
  return finderOf(options).isMatch(text)
}

export function findCovering(text, offset, options) {
  return finderOf(options).findCovering(text, offset)
}

export function matchAt(text, offset, options) {
  return finderOf(options).matchAt(text, offset)
}
