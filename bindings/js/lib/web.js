// The start in browsers, which load the .wasm file.

import { isStarted, start } from './engine.js'

let starting

async function load(source) {
  if (source instanceof WebAssembly.Module || ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return source
  const response = await (source instanceof Response ? source : fetch(source))
  if (!response.ok) throw new Error(`cannot load ${response.url}: the server answered ${response.status}`)
  // Do not fail if a server sends the file with another media type.
  return response.arrayBuffer()
}

async function moduleOf(loaded) {
  return loaded instanceof WebAssembly.Module ? loaded : WebAssembly.compile(loaded)
}

export async function init(source = new URL('./urlgrep.wasm', import.meta.url)) {
  if (isStarted()) return
  starting ??= load(source).then(moduleOf).then(start)
  try {
    await starting
  } finally {
    starting = undefined
  }
}
