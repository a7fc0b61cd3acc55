// The options of a search: checked here, since here is who passes them; Rust reads lines of `name=value`.

const oneOf = (...values) => (name, value) => {
  if (typeof value !== 'string') throw wrongType(name, `one of ${values.map(quoted).join(', ')}`, value)
  if (!values.includes(value)) {
    throw new RangeError(`option ${name}: expected one of ${values.map(quoted).join(', ')}, found ${quoted(value)}`)
  }
  return value
}

const yes = (name, value) => {
  if (typeof value !== 'boolean') throw wrongType(name, 'true or false', value)
  return String(value)
}

const whole = (name, value) => {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value)
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
    throw new RangeError(`option ${name}: expected a whole number from 0 to 4294967295, found ${value}`)
  }
  return String(value)
}

const names = (name, value) => {
  const list = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'string')) {
    throw wrongType(name, 'a string or an array of strings', value)
  }
  // A line or a comma would be read as something else.
  const odd = list.find((item) => /[,\n\r]/.test(item))
  if (odd !== undefined) throw new RangeError(`option ${name}: expected a scheme, found ${quoted(odd)}`)
  return list.join(',')
}

const OPTIONS = {
  join: oneOf('none', 'delimited', 'likely'),
  hyphen: oneOf('keep', 'drop', 'both'),
  grade: oneOf('lenient', 'rfc3986', 'rfc1738', 'draft1994'),
  dialect: oneOf('rfc1738', 'draft'),
  schemes: names,
  known: names,
  width: whole,
  cells: yes,
  maxLength: whole,
  iri: oneOf('words', 'all', 'ascii'),
  hosts: yes,
  addresses: yes,
  refang: yes,
  lineNumbers: yes,
  explain: yes,
}

function quoted(value) {
  return JSON.stringify(value)
}

export function typeOf(value) {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
}

function wrongType(name, expected, value) {
  return new TypeError(`option ${name}: expected ${expected}, found ${typeOf(value)}`)
}

/// The options as lines. Options that are undefined count as not passed.
export function lines(options) {
  if (options === undefined) return ''
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new TypeError(`expected an object of options, found ${typeOf(options)}`)
  }
  let text = ''
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new TypeError(`unexpected option ${quoted(name)}; expected one of ${Object.keys(OPTIONS).join(', ')}`)
    }
    if (value === undefined) continue
    const checked = OPTIONS[name](name, value)
    // No names are the default.
    if (checked !== '' || typeof value === 'string') text += `${name}=${checked}\n`
  }
  return text
}
