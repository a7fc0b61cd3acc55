// Writes the page as one file, target/page/index.html, which works on any static host and opened as file::
//
//     node bindings/js/page/build.mjs [--quick]
//
// With --quick, the build takes a third of the time, and the page is twice as large and much slower.
// Requires python3 and the programs that bindings/js/tools/build.mjs requires. The page's security policy allows only this script and this style, by their
// hashes; the worker and the compressed .wasm file are text in the page.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { compile, glue, js, lib, plain, root, target } from '../tools/wasm.mjs'

const out = join(target, 'page')
const page = (name) => readFileSync(join(js, 'page', name), 'utf8')
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const quick = process.argv.includes('--quick')
const profile = { OPT_LEVEL: 0, LTO: 'off', CODEGEN_UNITS: 16 }
if (quick) for (const [name, value] of Object.entries(profile)) process.env[`CARGO_PROFILE_WASM_ARCHIVE_${name}`] = value
const folder = compile('wasm-archive', 'js-archive', '--features', 'archive')
const wasm = readFileSync(join(folder, 'glue_bg.wasm'))
const engine = gzipSync(wasm, { level: 9 })
const notices = gzipSync(execFileSync('python3', ['tools/notices.py', 'archive', 'wasm32-unknown-unknown', 'bindings/js'], { cwd: root }), { level: 9 })

const worker = ["'use strict'", glue(folder), lib('table'), lib('options'), page('worker.js')].map(plain).join('\n')
const script = ["'use strict'", plain(lib('decode')), ...['show.js', 'engine.js', 'details.js', 'list.js', 'hosts.js', 'marks.js', 'folders.js', 'options.js', 'page.js'].map(page)].join('\n')
const style = page('style.css')
if (/<\/(script|style)|<!--/i.test(script + style + worker)) throw new Error('a script or the style would end before its end')

const parts = {
  SCRIPT_HASH: hash(script), STYLE_HASH: hash(style), STYLE: style, SCRIPT: script, WORKER: worker, ENGINE: engine.toString('base64'),
  NOTICES: notices.toString('base64'),
}
mkdirSync(out, { recursive: true })
const html = page('index.html').replace(/\b(SCRIPT_HASH|STYLE_HASH|STYLE|SCRIPT|WORKER|ENGINE|NOTICES)\b/g, (name) => parts[name])
writeFileSync(join(out, 'index.html'), html)
// For tests without a browser.
writeFileSync(join(out, 'worker.js'), worker)
console.log(`the page: ${html.length} bytes; its .wasm file: ${wasm.length} bytes, ${engine.length} after gzip`)
