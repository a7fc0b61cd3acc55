// The options of a search: checked here, where the names are known; Rust reads numbers, 0 for each default.

const quoted = (value) => JSON.stringify(value)

export function typeOf(value) {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
}

function wrongType(name, expected, value) {
  return new TypeError(`option ${name}: expected ${expected}, found ${typeOf(value)}`)
}

// The values, the default first.
const oneOf = (...values) => (name, value) => {
  const all = `one of ${values.map(quoted).join(', ')}`
  if (typeof value !== 'string') throw wrongType(name, all, value)
  const number = values.indexOf(value)
  if (number < 0) throw new RangeError(`option ${name}: expected ${all}, found ${quoted(value)}`)
  return number
}

const yes = (name, value) => {
  if (typeof value !== 'boolean') throw wrongType(name, 'true or false', value)
  return Number(value)
}

const LARGEST = 0xffffffff

const atLeast = (least) => (name, value) => {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value)
  if (!Number.isInteger(value) || value < least || value > LARGEST) {
    throw new RangeError(`option ${name}: expected a whole number from ${least} to ${LARGEST}, found ${value}`)
  }
  return value
}

const names = (name, value) => {
  const list = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'string')) {
    throw wrongType(name, 'a string or an array of strings', value)
  }
  const odd = list.find((item) => item === '' || item.includes(','))
  if (odd !== undefined) throw new RangeError(`option ${name}: expected the name of a scheme, found ${quoted(odd)}`)
  return list.join(',')
}

// In the order of js/src/options.rs.
const NUMBERS = {
  join: oneOf('delimited', 'none', 'likely'),
  hyphen: oneOf('keep', 'drop', 'both'),
  grade: oneOf('lenient', 'rfc3986', 'rfc1738'),
  iri: oneOf('words', 'all', 'ascii'),
  width: atLeast(1),
  maxLength: atLeast(16),
  cells: yes,
  hosts: yes,
  addresses: yes,
  refang: yes,
  lineNumbers: yes,
  explain: yes,
}
const ORDER = Object.keys(NUMBERS)
const NAMES = { schemes: names, known: names }
const ALL = { ...NUMBERS, ...NAMES }

/// The options as Rust reads them. Those that are undefined count as not passed.
export function compiled(options = {}) {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new TypeError(`expected an object of options, found ${typeOf(options)}`)
  }
  const checked = { known: '' }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(ALL, name)) {
      throw new TypeError(`unexpected option ${quoted(name)}; expected one of ${Object.keys(ALL).join(', ')}`)
    }
    if (value !== undefined) checked[name] = ALL[name](name, value)
  }
  const numbers = ORDER.map((name) => checked[name] ?? 0)
  return { numbers, schemes: checked.schemes, known: checked.known }
}
