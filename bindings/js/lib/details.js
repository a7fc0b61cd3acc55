// The facts about a URL, which WebAssembly computes on request, and the record that the program prints.

import { factsOfUrl } from './engine.js'
import { typeOf } from './options.js'

/// The facts about the URL of a match.
export function details(match) {
  const href = match?.href
  if (typeof href !== 'string') throw new TypeError(`expected a match, which has an href, found ${typeOf(match)}`)
  const [grade, production, offset, message, scheme, hostOrNone, digits, names, safe] = factsOfUrl(href)
  // A host may be empty: file:///a.
  const host = hostOrNone === '-' ? null : hostOrNone
  const port = digits === '' ? null : Number(digits)
  const reason = message === '' ? null : { production, offset: Number(offset), message }
  const warnings = names === '' ? [] : names.split(',')
  if (match.isTruncated) warnings.push('truncated')
  const isSafe = safe !== ''
  return { scheme, host, port, grade, reason, warnings, isSafe }
}

/// The keys of `urlgrep --json` for a match in a string, in the same order.
export function record(match) {
  const { scheme, host, port, grade, reason, warnings } = details(match)
  const { line, column, start, end, pieces, url, form, role, join, alternatives } = match
  return {
    line, column, start, end, pieces, url, scheme, host, port, form, role, grade, reason, join, alternatives,
    warnings,
  }
}
