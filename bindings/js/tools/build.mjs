// Builds the package into bindings/js/dist:
//
//     node bindings/js/tools/build.mjs [--wasm-opt PATH]
//
// It needs cargo with the target wasm32-unknown-unknown. With wasm-opt, of binaryen, the .wasm file is smaller and faster.
// ESM and CommonJS get one file each: the modules of lib/ one after the other, without their imports, and the .wasm file within, since
// a bundler would leave it behind.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, glue, js, lib, optimize, plain, root } from './wasm.mjs'

const dist = join(js, 'dist')
const NAMES = ['details', 'findAll', 'findCovering', 'Finder', 'isMatch', 'linkify', 'matchAt', 'record', 'urlgrep']

// The .wasm file in dist. Returns its glue.
function wasm() {
  const folder = compile('wasm', 'js')
  const [from, to] = [join(folder, 'glue_bg.wasm'), join(dist, 'urlgrep.wasm')]
  const option = process.argv.indexOf('--wasm-opt')
  if (option < 0) copyFileSync(from, to)
  else optimize(process.argv[option + 1], from, to)
  return glue(folder)
}

const write = (name, ...parts) => writeFileSync(join(dist, name), parts.join('\n'))

function bundle(glue) {
  const body = [lib('utf8'), glue, ...['match', 'engine', 'table', 'options', 'details', 'scanner', 'finder', 'sources', 'linkify'].map(lib)].map(plain).join('\n')
  const bytes = readFileSync(join(dist, 'urlgrep.wasm')).toString('base64')
  const inline = `start(decode("${bytes}"))`
  const decode = plain(lib('decode'))
  const esm = `export { ${NAMES.join(', ')} }\n`
  const cjs = `module.exports = { ${NAMES.join(', ')} }\n`
  write('index.mjs', body, decode, inline, esm)
  write('index.cjs', "'use strict'", body, decode, inline, cjs)
  write('web.mjs', body, plain(lib('web')), 'export { init, init as default }', esm)
}

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
bundle(wasm())
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(join(root, name), join(dist, name))
for (const [from, to] of [['index.d.ts', 'index.d.ts'], ['index.d.ts', 'index.d.cts'], ['web.d.ts', 'web.d.ts']]) {
  copyFileSync(join(js, 'lib', from), join(dist, to))
}
