// A match: offsets that are known, and all else when it is asked for.

import { facts } from './engine.js'

// The names by their numbers: see record.rs. tests/it/fields.rs compares them with those of the library.
const FORMS = ['wrapper', 'angle', 'quote', 'paren', 'prefixed', 'bare', 'href', 'defanged']
const JOINS = [null, 'delimited', 'flowed', 'guess']
const GUESSES = [null, 'S', 'D', 'W', 'E', 'P', 'M', 'L', 'F', 'T']
const IMPLIED = ['', 'http://', 'ftp://', 'mailto:']

export class Match {
  #text
  #from
  #to
  #flags
  #more
  #facts

  // `from` and `to` are the place of the first piece; `more` is what only some matches have, or null.
  constructor(text, start, end, flags, from, to, more) {
    this.start = start
    this.end = end
    this.#text = text
    this.#from = from
    this.#to = to
    this.#flags = flags
    this.#more = more
  }

  get url() {
    if (this.#more === null) return this.#text.slice(this.#from, this.#to)
    this.#more.url ||= this.segments.map(([from, to]) => this.#text.slice(from, to)).join('')
    return this.#more.url
  }

  get href() {
    return IMPLIED[this.#flags >>> 24] + this.url
  }

  get text() {
    return this.#text.slice(this.start, this.end)
  }

  get segments() {
    return this.#more?.segments ?? [[this.#from, this.#to]]
  }

  get form() {
    return FORMS[this.#flags & 255]
  }

  get role() {
    return 'text'
  }

  get join() {
    return JOINS[(this.#flags >> 8) & 255]
  }

  get guess() {
    return GUESSES[(this.#flags >> 16) & 255]
  }

  get hasScheme() {
    return this.#flags >>> 24 === 0
  }

  get alternatives() {
    return this.#more?.alternatives ?? []
  }

  get line() {
    return this.#more?.line ?? null
  }

  get column() {
    return this.line && this.start - this.#text.lastIndexOf('\n', this.start - 1)
  }

  get ending() {
    return this.#more?.ending ?? null
  }

  get scheme() {
    return this.#known.scheme
  }

  get host() {
    return this.#known.host
  }

  get port() {
    return this.#known.port
  }

  get grade() {
    return this.#known.grade
  }

  get reason() {
    return this.#known.reason
  }

  get warnings() {
    return this.#known.warnings
  }

  get isSafe() {
    return this.#known.isSafe
  }

  get #known() {
    this.#facts ??= facts(this.href)
    return this.#facts
  }

  toString() {
    return this.url
  }

  /// The keys of `urlgrep --json` that a text has, in the same order.
  toJSON() {
    const { line, column, start, end, segments, url, scheme, host, port, form, role, grade, reason, join } = this
    const { alternatives, warnings } = this
    return {
      line, column, start, end, segments, url, scheme, host, port, form, role, grade, reason, join, alternatives,
      warnings,
    }
  }
}
