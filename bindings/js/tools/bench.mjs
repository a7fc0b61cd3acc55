// The speed beside linkify-it, interleaved, medians of 21 rounds:
//
//     node bindings/js/tools/bench.mjs LINKIFY_IT TEXT
//
// LINKIFY_IT is the folder of the package linkify-it, TEXT a file of 1 MB or more. Each task is a list of texts, one call each: the
// first 1 MB, the first 20,000 lines, posts of 60 characters, and the first 10 KB growing by a character. Exits with 1 if a program is
// slower than linkify-it by more than FLOORS allow.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { findAll, linkify } from '../dist/index.mjs'

const [folder, file] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')

// 2,000 posts, each another one and in one piece, as texts are that come from a network.
const posts = (post) => JSON.parse(JSON.stringify(Array.from({ length: 2000 }, (_, i) => post.replace('#', `${i}`.padStart(4, '0')))))
const typed = Array.from({ length: 200 }, (_, i) => text.slice(0, 10240 + i))

const tasks = {
  '1 MB': [text.slice(0, 1 << 20)],
  '20,000 lines': text.split('\n').slice(0, 20000),
  '60 characters, no URL': posts('a short post # about people. It says: some words, and no more'),
  '60 characters, a URL': posts('see http://h.org/a/#.html, a short post about some words. Ok'),
  '60 characters, an address': posts('write to me#@h.org about the short post, and some words. Ok!'),
  'typing 10 KB': typed,
}
const FLOORS = { '1 MB': 2, '20,000 lines': 1 }
const FLOOR = 1 / 1.2

const loaded = createRequire(import.meta.url)(resolve(folder))
const linkifyIt = (loaded.linkifyit ?? loaded.default ?? loaded)
const matches = (linkifier) => (line) => linkifier.match(line)?.length ?? 0
// What is a link without a scheme: nothing, addresses, or hosts too.
const SETS = [['', { fuzzyLink: false, fuzzyEmail: false }], [', addresses', { fuzzyLink: false }], [', names', { fuzzyLink: true }]]
const EMAILS = { schemeless: 'emails' }
const programs = {
  'findAll': (line) => findAll(line).length,
  'findAll, each url read': (line) => findAll(line).reduce((length, match) => length + match.url.length, 0),
  'findAll, addresses': (line) => findAll(line, EMAILS).length,
}
for (const [name, set] of SETS) {
  programs[`linkify-it${name}`] = matches(linkifyIt().set(set))
  programs[`linkify()${name}`] = matches(linkify(set))
}
const PAIRS = [
  ['findAll', 'linkify-it'], ['findAll, each url read', 'linkify-it'], ['findAll, addresses', 'linkify-it, addresses'],
  ...SETS.map(([name]) => [`linkify()${name}`, `linkify-it${name}`]),
]

function milliseconds(program, lines) {
  const start = performance.now()
  let count = 0
  for (const line of lines) count += program(line)
  return [performance.now() - start, count]
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1]
const shown = (time, calls) => (calls > 1 ? `${(time / calls * 1e6).toFixed(0)} ns a call` : `${time.toFixed(1)} ms`)
let failed = false
for (const [task, lines] of Object.entries(tasks)) {
  const times = {}
  const counts = {}
  for (let round = 0; round < 21; round++) {
    for (const [name, program] of Object.entries(programs)) {
      const [time, count] = milliseconds(program, lines)
      ;(times[name] ??= []).push(time)
      counts[name] = count
    }
  }
  for (const name in times) console.log(`${task}: ${name}: ${shown(median(times[name]), lines.length)} (${counts[name]})`)
  for (const [one, other] of PAIRS) {
    const ratio = median(times[other]) / median(times[one])
    const isSlow = ratio < (FLOORS[task] ?? FLOOR)
    failed ||= isSlow
    console.log(`${task}: ${one} is ${ratio.toFixed(2)} times as fast as ${other}${isSlow ? ': too slow' : ''}`)
  }
}
process.exit(failed ? 1 : 0)
