// The speed beside linkify-it, interleaved, medians of 21 rounds:
//
//     node js/tools/bench.mjs LINKIFY_IT TEXT
//
// LINKIFY_IT is the folder of the package linkify-it, TEXT a file of 1 MB or more: its first 1 MB is searched at once, and its
// first 20,000 lines one by one. Exits with 1 if 1 MB is not twice as fast, or the lines are slower.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { findAll, linkify } from '../dist/index.mjs'

const [folder, file] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
const tasks = { '1 MB': [text.slice(0, 1 << 20)], '20,000 lines': text.split('\n').slice(0, 20000) }
const FLOORS = { '1 MB': 2, '20,000 lines': 1 }

const loaded = createRequire(import.meta.url)(resolve(folder))
const linkifyIt = (loaded.linkifyit ?? loaded.default ?? loaded)
// Both without links that have no scheme, and with addresses.
const plain = linkifyIt().set({ fuzzyLink: false, fuzzyEmail: false })
const withAddresses = linkifyIt().set({ fuzzyLink: false, fuzzyEmail: true })
const ours = linkify()
const programs = {
  'linkify-it': (line) => plain.match(line)?.length ?? 0,
  'findAll': (line) => findAll(line).length,
  'findAll, each url read': (line) => findAll(line).reduce((length, match) => length + match.url.length, 0),
  'linkify-it, addresses': (line) => withAddresses.match(line)?.length ?? 0,
  'linkify(), addresses': (line) => ours.match(line)?.length ?? 0,
}
const PAIRS = [['findAll', 'linkify-it'], ['findAll, each url read', 'linkify-it'], ['linkify(), addresses', 'linkify-it, addresses']]

function milliseconds(program, lines) {
  const start = performance.now()
  let count = 0
  for (const line of lines) count += program(line)
  return [performance.now() - start, count]
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1]
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
  for (const name in times) console.log(`${task}: ${name}: ${median(times[name]).toFixed(1)} ms (${counts[name]})`)
  for (const [one, other] of PAIRS) {
    const ratio = median(times[other]) / median(times[one])
    failed ||= ratio < FLOORS[task]
    console.log(`${task}: ${one} is ${ratio.toFixed(1)} times as fast as ${other}`)
  }
}
process.exit(failed ? 1 : 0)
