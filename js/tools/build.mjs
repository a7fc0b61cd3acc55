// Builds the package into js/dist:
//
//     node js/tools/build.mjs [--wasm-opt PATH]
//
// It needs cargo with the target wasm32-unknown-unknown. With wasm-opt, of binaryen, the .wasm file is smaller and faster.
// ESM and CommonJS get one file each: the modules of lib/ one after the other, without their imports, and the .wasm file within, since
// a bundler would leave it behind.

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const js = dirname(dirname(fileURLToPath(import.meta.url)))
const root = dirname(js)
const target = join(root, 'target')
const dist = join(js, 'dist')

// What a panic would name: paths, but none of this machine.
const remap = [[process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'cargo'], [root, '.']].map(([from, to]) => `--remap-path-prefix=${from}=${to}`)
const env = { ...process.env, CARGO_ENCODED_RUSTFLAGS: remap.join('\x1f') }

const run = (program, ...args) => execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })

function wasm() {
  const built = join(target, 'wasm32-unknown-unknown/wasm/urlgrep_js.wasm')
  const bindgen = join(target, 'bindgen')
  const build = ['build', '--locked', '--profile', 'wasm', '--target', 'wasm32-unknown-unknown', '-p', 'urlgrep-js']
  execFileSync('cargo', build, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
  run('cargo', 'build', '--locked', '--release', '--manifest-path', 'js/tools/bindgen/Cargo.toml', '--target-dir', bindgen)
  run(join(bindgen, 'release/urlgrep-bindgen'), built, join(target, 'js'))
  optimize(join(target, 'js/glue_bg.wasm'), join(dist, 'urlgrep.wasm'))
}

// What rustc compiles wasm32-unknown-unknown to.
const FEATURES = ['bulk-memory', 'bulk-memory-opt', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int',
  'reference-types', 'sign-ext']

function optimize(from, to) {
  const option = process.argv.indexOf('--wasm-opt')
  if (option < 0) return copyFileSync(from, to)
  const features = FEATURES.map((name) => `--enable-${name}`)
  run(process.argv[option + 1], '-O3', ...features, from, '-o', to)
}

// The glue without the start of its own, which loads a file by its URL.
function glue() {
  const text = readFileSync(join(target, 'js/glue.js'), 'utf8')
  const [before] = text.split('async function __wbg_load(')
  const [, sync] = text.split('\nfunction initSync(')
  return `${before}function initSync(${sync.split('\nlet __wbg_init_promise')[0]}`
}

const lib = (name) => readFileSync(join(js, 'lib', `${name}.js`), 'utf8')
const plain = (text) => text.replace(/^import .*\n/gm, '').replace(/^export /gm, '')
const NAMES = ['findAll', 'Finder', 'linkify', 'Match']
const core = () => [glue(), ...['match', 'engine', 'options', 'finder', 'linkify'].map(lib)].map(plain).join('\n')

const write = (name, ...parts) => writeFileSync(join(dist, name), parts.join('\n'))

function bundle() {
  const body = core()
  const bytes = readFileSync(join(dist, 'urlgrep.wasm')).toString('base64')
  const inline = `start(decode("${bytes}"))`
  const decode = lib('decode').replace(/^export /gm, '')
  const esm = `export { ${NAMES.join(', ')} }\n`
  const cjs = `module.exports = { ${NAMES.join(', ')} }\n`
  write('index.mjs', body, decode, inline, esm)
  write('index.cjs', "'use strict'", body, decode, inline, cjs)
  // For pages without modules, as those of file: are.
  write('global.js', "'use strict'", 'const urlgrep = (() => {', body, decode, inline, `return { ${NAMES.join(', ')} }`, '})()\n')
  write('web.mjs', body, plain(lib('web')), 'export { init, init as default }', esm)
}

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
wasm()
bundle()
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(join(root, name), join(dist, name))
for (const [from, to] of [['index.d.ts', 'index.d.ts'], ['index.d.ts', 'index.d.cts'], ['web.d.ts', 'web.d.ts']]) {
  copyFileSync(join(js, 'lib', from), join(dist, to))
}
