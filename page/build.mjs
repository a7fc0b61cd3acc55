// Writes the page as one file, target/page/index.html, which any static host serves and file: opens:
//
//     node js/tools/build.mjs && node page/build.mjs
//
// Its policy allows this script and this style alone, by their hashes.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const page = dirname(fileURLToPath(import.meta.url))
const root = dirname(page)
const out = join(root, 'target/page')

const read = (...path) => readFileSync(join(root, ...path), 'utf8')
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const script = `${read('js/dist/global.js')}\n${read('page/page.js')}`
const style = read('page/style.css')
if (/<\/(script|style)|<!--/i.test(script + style)) throw new Error('the script or the style would end before its end')

const parts = { SCRIPT_HASH: hash(script), STYLE_HASH: hash(style), STYLE: style, SCRIPT: script }
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'index.html'), read('page/index.html').replace(/\b(SCRIPT_HASH|STYLE_HASH|STYLE|SCRIPT)\b/g, (name) => parts[name]))
