// A match, as data: all that the search knows of it.

// The names by their numbers: see record.rs. tests/it/fields.rs compares them with those of the library.
const FORMS = ['wrapper', 'angle', 'quote', 'paren', 'prefixed', 'bare', 'attribute', 'defanged', 'nested']
const JOINS = [null, 'delimited', 'flowed', 'guess']
const GUESSES = [null, 'S', 'D', 'W', 'E', 'P', 'M', 'L', 'F', 'T']
const IMPLIED = ['', 'http://', 'ftp://', 'mailto:']

// In a local part these are no delimiters.
const encoded = (address) => address.replaceAll('#', '%23').replaceAll('?', '%3F')

const joined = (text, pieces) => pieces.reduce((url, [from, to]) => url + text.slice(from, to), '')

/// The range from the start of the first piece to the end of the last.
export const extent = (pieces) => pieces.length === 1 ? pieces[0] : [pieces[0][0], pieces.at(-1)[1]]

/// A match. `from` and `to` are the place of its first piece; `more` is what only some matches have.
export function matchOf(text, start, end, flags, from, to, more) {
  const { pieces = [[from, to]], url = joined(text, pieces), alternatives = [] } = more
  const { line = null, column = null, ending = null } = more
  const scheme = IMPLIED[flags >>> 24]
  const href = scheme + (scheme === 'mailto:' ? encoded(url) : url)
  const urlRange = extent(pieces)
  const hasScheme = flags >>> 24 === 0
  const form = FORMS[flags & 255]
  const role = 'text'
  const join = JOINS[(flags >> 8) & 127]
  const guess = GUESSES[(flags >> 16) & 255]
  const isTruncated = (flags & 0x8000) !== 0
  // One literal, so that all matches have one shape, which engines read fast.
  return { url, href, hasScheme, start, end, urlRange, pieces, form, role, join, guess, isTruncated, alternatives, line, column, ending }
}
