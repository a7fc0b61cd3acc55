// The boundary to WebAssembly: one memory. JavaScript writes a text into it once, and reads numbers from it.

import { Exchange, Rules, factsOf, initSync } from './glue.js'
import { matchOf } from './match.js'
import { TextEncoder } from './utf8.js'

const encoder = new TextEncoder()

let memory = null
let exchange
let numbers
// The memory for a text, which is `size` bytes at `address`.
let room
let address = 0
let size = 0

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

/// A finder with compiled options.
export function compile({ numbers, lists }) {
  mustBeStarted()
  return new Rules(numbers, lists)
}

/// The facts about a URL, as in facts.rs.
export function factsOfUrl(url) {
  mustBeStarted()
  return factsOf(url).split('\n')
}

function reserve(wanted) {
  address = exchange.reserve(wanted)
  size = wanted
  view()
}

function view() {
  room = new Uint8Array(memory.buffer, address, size)
  numbers = new Uint32Array(memory.buffer)
}

// Growing the memory detaches its ArrayBuffer.
function look() {
  if (room.length === 0) view()
}

// The text in the memory, and its length in bytes: a parser searches one text at many offsets.
let written = ''
let bytes = 0

// Writes the text as UTF-8, and returns its length in bytes.
function write(text) {
  if (text === written) return bytes
  if (text.length > size) reserve(text.length)
  look()
  bytes = encode(text, 0)
  written = text
  return bytes
}

function encode(text, at) {
  const { read, written } = encoder.encodeInto(text, at === 0 ? room : room.subarray(at))
  if (read === text.length) return written
  const rest = text.slice(read)
  reserve(at + written + 3 * rest.length)
  return written + encode(rest, at + written)
}

/// Returns the matches of `text`, which `make` creates.
export function search(rules, text, make = matchOf) {
  return taken(text, exchange.search(rules, write(text), text.length), make)
}

/// Returns the match that covers the UTF-16 unit at `offset` of `text` or, if `anchored`, starts there; or null.
export function searchAt(rules, text, offset, anchored) {
  return taken(text, exchange.searchAt(rules, write(text), text.length, offset, anchored))[0] ?? null
}

/// Appends `chunk` to a text, and returns the matches that are certain now. `kept` is the buffered end of the text,
/// including the chunk.
export function pushChunk(chunks, chunk, kept) {
  return taken(kept, exchange.push(chunks, write(chunk), chunk.length))
}

/// Ends a text, and returns its last matches.
export function finishChunks(chunks, kept) {
  return taken(kept, exchange.finish(chunks))
}

// Returns the matches of the last search, whose records are at `address`; an empty list if it is 0.
function taken(text, address, make = matchOf) {
  const matches = address === 0 ? [] : read(text, address >> 2, make)
  if (size > 1 << 20) trim()
  return matches
}

function trim() {
  exchange.trim()
  written = ''
  bytes = 0
  reserve(1 << 12)
}

// Properties that only some matches have; most matches share one empty object.
const NOTHING = {}

function read(text, address, make) {
  look()
  const count = numbers[address]
  const matches = new Array(count)
  let at = address + 1
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
    matches[i] = make(text, start, numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4], more)
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

// Computes the columns of matches in order, so that each line is scanned only once.
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
  const ranges = []
  for (let count = numbers[at++]; count > 0; count--, at += 2) ranges.push([numbers[at], numbers[at + 1]])
  const pieces = ranges.length === 0 ? undefined : ranges
  const url = strings.next(numbers[at++]) || undefined
  const alternatives = []
  for (let count = numbers[at++]; count > 0; count--) alternatives.push(strings.next(numbers[at++]))
  const trimmed = numbers[at++]
  const stop = strings.next(numbers[at])
  const ending = stop === '' ? undefined : { stop, trimmed }
  return { line, column, pieces, url, alternatives, ending }
}
