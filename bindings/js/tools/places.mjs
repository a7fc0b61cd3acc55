// Compares linkify() and linkify-it with what readers see in the texts of benches/places:
//
//     node bindings/js/tools/places.mjs LINKIFY_IT
//
// LINKIFY_IT is the folder of the package linkify-it. Only links of http, https, ftp and mailto count, as they are written on one line.
// Prints how many each finds, misses, and finds that are none, and the texts where linkify-it is nearer to the reader than linkify().

import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkify } from '../dist/index.mjs'

const loaded = createRequire(import.meta.url)(resolve(process.argv[2]))
const linkifyIt = loaded.linkifyit ?? loaded.default ?? loaded
const tools = { 'linkify()': linkify({ fuzzyLink: true }), 'linkify-it': linkifyIt({ fuzzyLink: true }) }
const SCHEME = /^(https?|ftp|mailto):/i

// The lines of a place: `| ` has text, `= ` a URL, `~ ` another reading of it.
function placeOf(block) {
  const lines = block.split('\n')
  const text = lines.filter((line) => line.startsWith('|')).map((line) => line.slice(2)).join('\n')
  const wanted = []
  for (const line of lines) {
    if (line.startsWith('= ')) wanted.push([line.slice(2)])
    if (line.startsWith('~ ')) wanted.at(-1).push(line.slice(2))
  }
  return { text, wanted: wanted.filter((readings) => SCHEME.test(readings[0]) && readings.some((url) => text.includes(url))) }
}

function judged(linkifier, { text, wanted }) {
  const links = (linkifier.match(text) ?? []).map(({ raw }) => raw).filter((raw) => SCHEME.test(raw))
  const found = wanted.filter((readings) => readings.some((url) => links.includes(url))).length
  const wrong = links.filter((link) => !wanted.some((readings) => readings.includes(link))).length
  return { links, found, missed: wanted.length - found, wrong }
}

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../benches/places')
const files = readdirSync(folder).filter((name) => name.endsWith('.txt')).sort()
const places = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n\n').map(placeOf)).filter(({ text }) => text !== '')
const sums = {}
for (const place of places) {
  const [ours, other] = Object.entries(tools).map(([tool, linkifier]) => {
    const { links, ...counts } = judged(linkifier, place)
    for (const [name, count] of Object.entries(counts)) (sums[tool] ??= { found: 0, missed: 0, wrong: 0 })[name] += count
    return { links, faults: counts.missed + counts.wrong }
  })
  if (ours.faults <= other.faults) continue
  console.log(`${JSON.stringify(place.text)}: wanted ${JSON.stringify(place.wanted)}, found ${JSON.stringify(ours.links)}`)
}
for (const [tool, { found, missed, wrong }] of Object.entries(sums)) {
  console.log(`${places.length} texts: ${tool}: ${found} found, ${missed} missed, ${wrong} wrong`)
}
