// The border to WebAssembly: one memory, into which a text is written once, and from which numbers are read.

import { Exchange, Rules, factsOf, initSync } from './glue.js'
import { matchOf } from './match.js'
import { TextEncoder } from './utf8.js'

const encoder = new TextEncoder()

// A string that is shorter is written sooner by a loop than by TextEncoder, which is a call out of JavaScript.
const SHORT = 96

let memory = null
let exchange
let bytes
let numbers
let address = 0
let room = 0

/// Starts the engine, once, from the bytes or the module of the .wasm file.
export function start(module) {
  if (memory !== null) return
  memory = initSync({ module }).memory
  exchange = new Exchange()
  reserve(1 << 12)
}

export function isStarted() {
  return memory !== null
}

function mustBeStarted() {
  if (memory === null) throw new Error('urlgrep is not started: in browsers, first `await init()` of urlgrep/web')
}

/// A finder of options that are compiled.
export function compile({ numbers, lists }) {
  mustBeStarted()
  return new Rules(numbers, lists)
}

/// What is known of a URL by itself, as facts.rs has it.
export function factsOfUrl(url) {
  mustBeStarted()
  return factsOf(url).split('\n')
}

function reserve(wanted) {
  address = exchange.reserve(wanted)
  room = wanted
  look()
}

// Memory that has grown is another buffer.
function look() {
  if (bytes !== undefined && bytes.length !== 0) return
  bytes = new Uint8Array(memory.buffer)
  numbers = new Uint32Array(memory.buffer)
}

// Writes the text as UTF-8, and returns its length in bytes.
function write(text) {
  const { length } = text
  if (length > room) reserve(length)
  look()
  let at = 0
  if (length <= SHORT) {
    for (; at < length; at++) {
      const unit = text.charCodeAt(at)
      if (unit > 0x7f) break
      bytes[address + at] = unit
    }
    if (at === length) return length
  }
  return at + encode(at === 0 ? text : text.slice(at), at)
}

function encode(text, at) {
  const { read, written } = encoder.encodeInto(text, bytes.subarray(address + at, address + room))
  if (read === text.length) return written
  const rest = text.slice(read)
  reserve(at + written + 3 * rest.length)
  return written + encode(rest, at + written)
}

/// Appends the matches of `text` to `matches`.
export function search(rules, text) {
  const length = write(text)
  const count = exchange.search(rules, length, text.length)
  if (count === 0) {
    if (room > 1 << 20) trim()
    return []
  }
  look()
  const matches = read(text, count)
  if (room > 1 << 20) trim()
  return matches
}

function trim() {
  exchange.trim()
  reserve(1 << 12)
}

// What only some matches have is in an object, which is empty for all others.
const NOTHING = {}

function read(text, count) {
  const matches = new Array(count)
  let at = exchange.numbers() >> 2
  let strings = null
  let columns = null
  for (let i = 0; i < count; i++) {
    const start = numbers[at]
    const length = numbers[at + 5]
    let more = NOTHING
    if (length !== 0) {
      strings ??= new Strings(exchange.strings())
      columns ??= new Columns(text)
      look()
      more = readMore(at + 6, strings, columns, start)
    }
    matches[i] = matchOf(text, start, numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4], more)
    at += 6 + length
  }
  return matches
}

class Strings {
  #all
  #at = 0

  constructor(all) {
    this.#all = all
  }

  next(length) {
    this.#at += length
    return this.#all.slice(this.#at - length, this.#at)
  }
}

// The columns of matches in their order: each line is scanned once.
class Columns {
  #text
  #line = 0
  #lineStart = 0

  constructor(text) {
    this.#text = text
  }

  of(line, start) {
    if (line !== this.#line) this.#lineStart = this.#text.lastIndexOf('\n', start - 1) + 1
    this.#line = line
    return start - this.#lineStart + 1
  }
}

// See record.rs.
function readMore(at, strings, columns, start) {
  const line = numbers[at++] || undefined
  const column = line && columns.of(line, start)
  const pieces = []
  for (let count = numbers[at++]; count > 0; count--, at += 2) pieces.push([numbers[at], numbers[at + 1]])
  const segments = pieces.length === 0 ? undefined : pieces
  const url = strings.next(numbers[at++]) || undefined
  const alternatives = []
  for (let count = numbers[at++]; count > 0; count--) alternatives.push(strings.next(numbers[at++]))
  const trimmed = numbers[at++]
  const stop = strings.next(numbers[at])
  const ending = stop === '' ? undefined : { stop, trimmed }
  return { line, column, segments, url, alternatives, ending }
}
