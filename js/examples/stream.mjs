// The URLs of a stream of any length, as lines of JSON: node stream.mjs <FILE. It needs `npm install urlgrep`.
//
// A URL between delimiters ends at an empty line at the latest. So the text is searched up to the last empty line that is there,
// and the rest waits for more. Mail is searched as text: what is encoded needs the program, or the package for Python.

import { realpathSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Transform } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Finder } from 'urlgrep'

export class Urls extends Transform {
  #finder
  #rest = ''
  #before = 0

  constructor(options) {
    super({ readableObjectMode: true, decodeStrings: false })
    this.#finder = new Finder(options)
  }

  _transform(chunk, _, done) {
    this.#rest += chunk
    const empty = Math.max(this.#rest.lastIndexOf('\n\n'), this.#rest.lastIndexOf('\n\r\n')) + 1
    // A paragraph of a megabyte is none.
    const end = empty || (this.#rest.length > 1 << 20 ? this.#rest.lastIndexOf('\n') + 1 : 0)
    if (end > 0) this.#search(end)
    done()
  }

  _flush(done) {
    this.#search(this.#rest.length)
    this.#finder.free()
    done()
  }

  #search(end) {
    for (const match of this.#finder.findAll(this.#rest.slice(0, end))) {
      this.push({ url: match.url, start: this.#before + match.start, end: this.#before + match.end })
    }
    this.#before += end
    this.#rest = this.#rest.slice(end)
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
