// The border to WebAssembly: one memory, into which a text is written once, and from which numbers are read.

import { Exchange, Rules, factsOf, initSync } from './glue.js'
import { Match } from './match.js'

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

/// A finder of options that are compiled.
export function compile({ numbers, lists }) {
  if (memory === null) {
    throw new Error('urlgrep is not started: in browsers, first `await init()` of urlgrep/web')
  }
  return new Rules(numbers, lists)
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

function read(text, count) {
  const matches = new Array(count)
  let at = exchange.numbers() >> 2
  let strings = null
  for (let i = 0; i < count; i++) {
    const more = numbers[at + 5]
    let rest = null
    if (more !== 0) {
      strings ??= new Strings(exchange.strings())
      look()
      rest = readMore(at + 6, strings)
    }
    matches[i] = new Match(
      text, numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4], rest,
    )
    at += 6 + more
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

// What only some matches have: see record.rs.
function readMore(at, strings) {
  const line = numbers[at++] || null
  const segments = []
  for (let count = numbers[at++]; count > 0; count--, at += 2) segments.push([numbers[at], numbers[at + 1]])
  const url = strings.next(numbers[at++])
  const alternatives = []
  for (let count = numbers[at++]; count > 0; count--) alternatives.push(strings.next(numbers[at++]))
  const trimmed = numbers[at++]
  const stop = strings.next(numbers[at])
  const ending = stop === '' ? null : { stop, trimmed }
  return { line, segments: segments.length === 0 ? null : segments, url, alternatives, ending }
}

/// What is known of a URL by itself.
export function facts(url) {
  const [grade, production, offset, message, scheme, host, port, warnings, safe] = factsOf(url).split('\n')
  return {
    grade,
    reason: message === '' ? null : { production, offset: Number(offset), message },
    scheme,
    // A host may be empty: file:///a.
    host: host === '-' ? null : host,
    port: port === '' ? null : Number(port),
    warnings: warnings === '' ? [] : warnings.split(','),
    isSafe: safe !== '',
  }
}
