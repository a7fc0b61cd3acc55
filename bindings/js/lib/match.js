// A match, as data: everything that the search knows about it.

// Names by their numbers: see record.rs. tests/it/fields.rs compares them with the library's names.
const FORMS = ['wrapper', 'angle', 'quote', 'paren', 'prefixed', 'bare', 'attribute', 'defanged', 'nested']
const JOINS = [null, 'delimited', 'flowed', 'guess']
const GUESSES = [null, 'S', 'D', 'W', 'E', 'P', 'M', 'L', 'F', 'T']
const IMPLIED = ['', 'http://', 'ftp://', 'mailto:']

// In the local part of an email address, these characters are not delimiters.
const encoded = (address) => address.replaceAll('#', '%23').replaceAll('?', '%3F')

const joined = (text, pieces) => pieces.reduce((url, [from, to]) => url + text.slice(from, to), '')

/// The range from the start of the first piece to the end of the last one.
export const extent = (pieces) => pieces.length === 1 ? pieces[0] : [pieces[0][0], pieces.at(-1)[1]]

/// A match. `from` and `to` are the range of its first piece; `more` contains the properties that only some matches have.
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
  // One literal gives all matches one shape, which JavaScript engines read fast.
  return { url, href, hasScheme, start, end, urlRange, pieces, form, role, join, guess, isTruncated, alternatives, line, column, ending }
}
