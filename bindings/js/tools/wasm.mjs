// The .wasm files and their glue, which the package and the page share.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const js = dirname(dirname(fileURLToPath(import.meta.url)))
export const root = dirname(dirname(js))
// As cargo reads it, which runs in the root.
export const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target')

// What a panic would name: paths, but none of this machine.
const remap = [[process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'cargo'], [root, '.']].map(([from, to]) => `--remap-path-prefix=${from}=${to}`)
const env = () => ({ ...process.env, CARGO_ENCODED_RUSTFLAGS: remap.join('\x1f') })

export const run = (program, ...args) => execFileSync(program, args, { cwd: root, env: env(), stdio: ['ignore', 'inherit', 'inherit'] })

/// Compiles bindings/js/ with a profile of Cargo.toml, and writes its .wasm file and glue into a folder of target, whose path is returned.
export function compile(profile, folder, ...options) {
  const built = join(target, 'wasm32-unknown-unknown', profile, 'urlgrep_js.wasm')
  const bindgen = join(target, 'bindgen')
  run('cargo', 'build', '--locked', '--profile', profile, '--target', 'wasm32-unknown-unknown', '-p', 'urlgrep-js', ...options)
  execFileSync('cargo', ['build', '--locked', '--release', '--manifest-path', 'bindings/js/tools/bindgen/Cargo.toml', '--target-dir', bindgen],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  run(join(bindgen, 'release/urlgrep-bindgen'), built, join(target, folder))
  return join(target, folder)
}

// What rustc compiles wasm32-unknown-unknown to.
const FEATURES = ['bulk-memory', 'bulk-memory-opt', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int',
  'reference-types', 'sign-ext']

/// Makes a .wasm file smaller and faster with the wasm-opt at `program`.
export function optimize(program, from, to) {
  const passes = ['--flatten', '--rereloop', '-O3', '-O3', '--strip-target-features']
  run(program, ...FEATURES.map((name) => `--enable-${name}`), ...passes, from, '-o', to)
}

/// The glue in a folder without the start of its own, which loads a file by its URL.
export function glue(folder) {
  const text = readFileSync(join(folder, 'glue.js'), 'utf8')
  const [before] = text.split('async function __wbg_load(')
  const [, sync] = text.split('\nfunction initSync(')
  return `${before}function initSync(${sync.split('\nlet __wbg_init_promise')[0]}`
}

/// A module without its imports and exports, to be put after those that it imports.
export const plain = (text) => text.replace(/^import .*\n/gm, '').replace(/^export /gm, '')

/// The text of a module in lib/.
export const lib = (name) => readFileSync(join(js, 'lib', `${name}.js`), 'utf8')
