// The URLs of a stream of any length, as lines of JSON: node stream.mjs <FILE. It needs `npm install urlgrep`.
//
// Mail is searched as text: what is encoded needs the program, or the package for Python.

import { realpathSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Transform } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Finder } from 'urlgrep'

export class Urls extends Transform {
  #scanner

  constructor(options) {
    super({ readableObjectMode: true, decodeStrings: false })
    this.#scanner = new Finder(options).scanner()
  }

  _transform(chunk, _, done) {
    this.#pass(this.#scanner.push(chunk))
    done()
  }

  _flush(done) {
    this.#pass(this.#scanner.finish())
    this.#scanner.free()
    done()
  }

  #pass(matches) {
    for (const { url, start, end } of matches) this.push({ url, start, end })
  }
}

async function* lines(urls) {
  for await (const url of urls) yield `${JSON.stringify(url)}\n`
}

// As a program, and not as a module of one; either path may be a link.
const [, main] = process.argv
if (main && realpathSync(main) === realpathSync(fileURLToPath(import.meta.url))) {
  await pipeline(process.stdin.setEncoding('utf8'), new Urls(), lines, process.stdout)
}
