// A search of a text that arrives in chunks.

import { finishChunks, pushChunk } from './engine.js'
import { extent } from './match.js'
import { typeOf } from './options.js'

export class Scanner {
  #chunks
  // The text from the first position on where a later match may start, and the number of units before it: in the text, and on its line.
  #kept = ''
  #before = 0
  #beforeOnLine = 0
  // A high surrogate whose low surrogate is in the next chunk.
  #half = ''

  constructor(chunks) {
    this.#chunks = chunks
  }

  push(chunk) {
    if (typeof chunk !== 'string') throw new TypeError(`expected a string to search, found ${typeOf(chunk)}`)
    this.#check()
    const text = this.#half + chunk
    const end = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.length - 1 : text.length
    this.#half = text.slice(end)
    return this.#add(text.slice(0, end))
  }

  finish() {
    this.#check()
    const matches = this.#add(this.#half)
    matches.push(...this.#moved(finishChunks(this.#chunks, this.#kept)))
    this.#kept = this.#half = ''
    this.#before = this.#beforeOnLine = 0
    return matches
  }

  free() {
    this.#chunks?.free()
    this.#chunks = null
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free()
  }

  #check() {
    if (this.#chunks === null) throw new Error('this Scanner was freed: it cannot search any more')
  }

  #add(text) {
    this.#kept += text
    const matches = this.#moved(pushChunk(this.#chunks, text, this.#kept))
    this.#forget(this.#chunks.forget())
    return matches
  }

  #forget(units) {
    if (units === 0) return
    const line = this.#kept.lastIndexOf('\n', units - 1) + 1
    this.#beforeOnLine = line === 0 ? this.#beforeOnLine + units : units - line
    this.#before += units
    this.#kept = this.#kept.slice(units)
  }

  // The matches with offsets in the whole text.
  #moved(matches) {
    const before = this.#before
    for (const match of matches) {
      if (match.line !== null && match.column === match.start + 1) match.column += this.#beforeOnLine
      match.start += before
      match.end += before
      match.pieces = match.pieces.map(([start, end]) => [start + before, end + before])
      match.urlRange = extent(match.pieces)
    }
    return matches
  }
}
