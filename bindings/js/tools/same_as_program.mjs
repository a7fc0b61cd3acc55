// Compares the matches of the package with those of the program:
//
//     node bindings/js/tools/same_as_program.mjs URLGREP FILE_OR_DIRECTORY...
//
// URLGREP is the program. Each file that is UTF-8 is searched as text: the matches of `urlgrep --input text --json` must be those
// of findAll, whose offsets are counted in bytes for that. Prints what differs, and how much was compared; the exit status
// is 1 if anything differs.

import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findAll, record } from '../dist/index.mjs'

// The longest file that is searched.
const MOST = 64 << 20

// Each set of options, for the package and for the program. Not join: 'likely', where the program has the evidence of all files, and
// not refang, where it has the list of public suffixes.
const RUNS = [
  [{}, []],
  [{ hyphen: 'both', schemeless: ['hosts', 'emails'], iri: 'all', grade: 'rfc3986' },
    ['--hyphen=both', '--schemeless=hosts', '--schemeless=emails', '--iri=all', '--grade=rfc3986']],
]

function* filesIn(path) {
  if (!statSync(path).isDirectory()) return yield path
  for (const name of readdirSync(path).sort()) yield* filesIn(join(path, name))
}

// The text of a file that is UTF-8, else undefined.
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

// The byte at each unit, for offsets that grow.
function bytesAt(text) {
  let unit = 0
  let byte = 0
  return (wanted) => {
    if (wanted < unit) unit = byte = 0
    byte += Buffer.byteLength(text.slice(unit, wanted))
    unit = wanted
    return byte
  }
}

function ofPackage(text, options) {
  const at = bytesAt(text)
  return findAll(text, { ...options, lineNumbers: true }).map((match) => {
    const { start, end, pieces, reason, column, line, ...rest } = record(match)
    const inBytes = pieces.map((segment) => segment.map(at))
    const offset = reason && Buffer.byteLength(match.href.slice(0, reason.offset))
    const lineStart = start - column + 1
    return {
      ...rest, line, column: at(start) - at(lineStart) + 1, start: at(start), end: at(end), pieces: inBytes,
      reason: reason && { ...reason, offset },
    }
  })
}

function ofProgram(program, path, options) {
  const { stdout } = spawnSync(program, ['--json', '--input=text', ...options, path], { maxBuffer: 1 << 30 })
  return stdout.toString().split('\n').filter(Boolean).map((line) => JSON.parse(line))
}

const count = { files: 0, skipped: 0, matches: 0, differences: 0 }

// Whether all that the package knows of a match is what the program says.
function same(match, expected) {
  return expected !== undefined && Object.keys(match).every((key) => JSON.stringify(match[key]) === JSON.stringify(expected[key]))
}

function compare(program, path) {
  const text = textOf(readFileSync(path))
  if (text === undefined) return count.skipped++
  count.files++
  for (const [options, flags] of RUNS) {
    const expected = ofProgram(program, path, flags)
    const found = ofPackage(text, options)
    count.matches += found.length
    const at = found.findIndex((match, i) => !same(match, expected[i]))
    if (at < 0 && found.length === expected.length) continue
    count.differences++
    console.log(`${path} ${flags}: ${expected.length} matches of the program, ${found.length} of the package`)
    console.log(JSON.stringify(expected[at < 0 ? found.length : at]), '\n', JSON.stringify(found[at]))
  }
}

const [program, ...paths] = process.argv.slice(2)
for (const path of paths.flatMap((path) => [...filesIn(path)])) {
  if (statSync(path).size <= MOST) compare(program, path)
  else count.skipped++
}
console.log(`${count.files} files, ${count.skipped} skipped, ${count.matches} matches, ${count.differences} differ`)
process.exit(count.differences === 0 ? 0 : 1)
