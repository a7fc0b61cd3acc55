// The worker of the page, which contains the engine: it searches files as streams, so that the page stays responsive. A search is one
// call; the page stops it early only by ending the worker.

// The number of bytes that are read from a file at once.
const CHUNK = 1 << 20
// The interval between two progress messages, in milliseconds.
const OFTEN = 100
// The maximum length of a part of a download, and of all parts together, if the browser keeps them in memory.
const PART = 4 << 20
const LONGEST = 1e9

// A file for the engine. `read` returns a range of it.
class Source {
  #read
  #progress
  #at = 0
  #chunk = new Uint8Array()
  #used = 0

  constructor(read, progress) {
    this.#read = read
    this.#progress = progress
  }

  read(room) {
    if (this.#used === this.#chunk.length) this.#next()
    const part = this.#chunk.subarray(this.#used, this.#used + room.length)
    room.set(part)
    this.#used += part.length
    return part.length
  }

  #next() {
    this.#chunk = this.#read(this.#at, this.#at + CHUNK)
    this.#used = 0
    this.#at += this.#chunk.length
    this.#progress(this.#chunk.length)
  }
}

// Searches the files of a request. `tell` receives matches, errors and progress.
function searchFiles({ inputs, text, options, output, most, roles, form, url, host }, readerOf, tell) {
  const { numbers } = compiled(options)
  const search = new FileSearch(Uint32Array.from(numbers), output, most, roles, form, url, host)
  const passes = search.needsEvidence() ? 2 : 1
  let read = 0
  let counts = []
  let told = performance.now()
  const progress = (bytes) => {
    read += bytes / passes
    if (performance.now() < told + OFTEN) return
    told = performance.now()
    tell({ progress: { read, counts } })
  }
  const sink = {
    take(written, all) {
      counts = [...all]
      if (written.length > 0) tell({ written: written.slice(), counts })
    },
    fail: (sentence) => tell({ failure: sentence }),
  }
  const source = (input) => new Source(readerOf(input), progress)
  try {
    if (passes === 2) for (const input of inputs) search.gather(source(input), text)
    for (const input of inputs) search.search(source(input), input.name, text, input.isNamed, sink)
    tell({ progress: { read, counts } })
  } finally {
    search.free()
  }
}

// Reads a browser file, synchronously.
function fileReader({ file }) {
  const reader = new FileReaderSync()
  return (from, to) => new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to)))
}

// A list for the page, which receives each batch as it is found.
function list(request) {
  searchFiles(request, fileReader, (said) => {
    postMessage({ id: request.id, ...said }, said.written ? [said.written.buffer] : [])
  })
}

// The destination of a long download: a browser file that only this site can read, and that the page removes. Pages opened as file: do not have one.
async function toFile() {
  const folder = await navigator.storage.getDirectory()
  const handle = await folder.getFileHandle('download', { create: true })
  const file = await handle.createSyncAccessHandle()
  file.truncate(0)
  return {
    write: (bytes) => file.write(bytes),
    end() {
      file.close()
      return handle.getFile()
    },
  }
}

// The destination of any other download: parts in the browser's memory.
function toParts() {
  const blobs = []
  let parts = []
  let length = 0
  const pack = () => {
    blobs.push(new Blob(parts))
    parts = []
    length = 0
  }
  return {
    write(bytes) {
      if (blobs.length * PART > LONGEST) throw new Error(`it has more than ${LONGEST / 1e9} GB, which this browser would keep in memory here; the program writes any`)
      parts.push(bytes)
      length += bytes.length
      if (length >= PART) pack()
    },
    end() {
      pack()
      return new Blob(blobs)
    },
  }
}

async function download(request) {
  const output = await (request.isLong ? toFile().catch(toParts) : toParts())
  searchFiles(request, fileReader, ({ written, ...said }) => {
    if (said.progress || said.failure) postMessage({ id: request.id, ...said })
    if (written) output.write(written)
  })
  postMessage({ id: request.id, blob: await output.end() })
}

// The matches with each of several sets of options, as keys.
function keys(request) {
  const decoder = new TextDecoder()
  const all = request.sets.map((options) => {
    const lines = []
    searchFiles({ ...request, options, output: 'json' }, fileReader, ({ written }) => written && lines.push(decoder.decode(written)))
    return lines.join('').split('\n').filter(Boolean).map((line) => JSON.parse(line)).map(({ path, start, url }) => JSON.stringify([path, start, url]))
  })
  postMessage({ id: request.id, keys: all })
}

const KINDS = { list, download, keys }

// Node, which runs the tests, does not define this.
if (typeof self !== 'undefined' && typeof FileReaderSync !== 'undefined') {
  self.onmessage = async ({ data }) => {
    if (data.module) return initSync({ module: data.module })
    try {
      await KINDS[data.kind](data)
      postMessage({ id: data.id, done: true })
    } catch (error) {
      postMessage({ id: data.id, fatal: String(error?.message ?? error) })
    }
  }
}
