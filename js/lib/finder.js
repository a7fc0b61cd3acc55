// A finder, and findAll.

import { compile, search } from './engine.js'
import { compiled, typeOf } from './options.js'

// What every match has a byte of, whatever its form: most short texts have none, and are not searched.
function signs({ hosts, addresses, refang } = {}) {
  if (refang) return []
  return [':', ...(hosts ? ['.'] : []), ...(addresses ? ['@'] : [])]
}

export class Finder {
  #rules
  #signs

  constructor(options) {
    this.#rules = compile(compiled(options))
    this.#signs = signs(options)
  }

  /// Whether `text` may have a match: a test of a few characters.
  pretest(text) {
    const signs = this.#signs
    if (signs.length === 0) return true
    for (let i = 0; i < signs.length; i++) if (text.includes(signs[i])) return true
    return false
  }

  findAll(text) {
    if (typeof text !== 'string') throw new TypeError(`expected a string to search, found ${typeOf(text)}`)
    if (this.#rules === null) throw new Error('this Finder was freed: it cannot search any more')
    if (!this.pretest(text)) return []
    return search(this.#rules, text)
  }

  free() {
    this.#rules?.free()
    this.#rules = null
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free()
  }
}

// The finders of findAll, by their options, the first one that of no options.
const finders = new Map()
const MOST = 16
let plain

// Its memory is that of WebAssembly, which is not given back before the program waits, if it is left to the collector.
function evict() {
  const [[key, finder]] = finders
  finder.free()
  finders.delete(key)
}

export function findAll(text, options) {
  if (options === undefined) return (plain ??= new Finder()).findAll(text)
  const key = JSON.stringify(compiled(options))
  let finder = finders.get(key)
  if (finder === undefined) {
    finder = new Finder(options)
    if (finders.size === MOST) evict()
    finders.set(key, finder)
  }
  return finder.findAll(text)
}
