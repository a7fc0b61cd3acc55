// The options of a search. They are checked here, where their names are known; Rust reads numbers.

import { RENAMED, TABLE } from './table.js'

const quoted = (value) => JSON.stringify(value)

export function typeOf(value) {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
}

function wrongType(name, expected, value) {
  return new TypeError(`option ${name}: expected ${expected}, found ${typeOf(value)}`)
}

const LARGEST = 0xffffffff

/// The names of a list; in a string, commas separate them.
export const listOf = (value) => (typeof value !== 'string' ? value : value === '' ? [] : value.split(','))

function namesOf(name, value) {
  const list = listOf(value)
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'string')) {
    throw wrongType(name, 'a string or an array of strings', value)
  }
  return list
}

// The value for Rust, by the kind of the option: a number, or the names of a list.
const READERS = {
  anyOf(name, value, { values }) {
    const list = namesOf(name, value)
    const odd = list.find((item) => !values.includes(item))
    if (odd !== undefined) throw new RangeError(`option ${name}: expected some of ${values.map(quoted).join(', ')}, found ${quoted(odd)}`)
    return list.reduce((bits, item) => bits | 1 << values.indexOf(item), 0)
  },
  oneOf(name, value, { values }) {
    const all = `one of ${values.map(quoted).join(', ')}`
    if (typeof value !== 'string') throw wrongType(name, all, value)
    const number = values.indexOf(value)
    if (number < 0) throw new RangeError(`option ${name}: expected ${all}, found ${quoted(value)}`)
    return number
  },
  flag(name, value) {
    if (typeof value !== 'boolean') throw wrongType(name, 'true or false', value)
    return Number(value)
  },
  number(name, value, { least }) {
    if (typeof value !== 'number') throw wrongType(name, 'a number', value)
    if (!Number.isInteger(value) || value < least || value > LARGEST) {
      throw new RangeError(`option ${name}: expected a whole number from ${least} to ${LARGEST}, found ${value}`)
    }
    return value
  },
  names(name, value) {
    const list = namesOf(name, value)
    // In ASCII, the numbers of bytes and units are equal, and a comma ends a name. Rust checks the rest.
    const odd = list.find((item) => !/^[\0-+\--\x7f]+$/.test(item))
    if (odd !== undefined) throw new RangeError(`option ${name}: expected the name of a scheme, found ${quoted(odd)}`)
    return list.join(',')
  },
}

/// The options in the form that bindings/js/src/options.rs reads. An undefined option is treated as missing.
export function compiled(options = {}) {
  if (options === null || typeof options !== 'object' || Array.isArray(options)) {
    throw new TypeError(`expected an object of options, found ${typeOf(options)}`)
  }
  const numbers = []
  let lists = ''
  for (const [name, value] of Object.entries(options)) {
    if (Object.hasOwn(RENAMED, name)) {
      throw new TypeError(`the option ${quoted(name)} is now called ${quoted(RENAMED[name])}`)
    }
    if (!Object.hasOwn(TABLE, name)) {
      throw new TypeError(`unknown option ${quoted(name)}; expected one of ${Object.keys(TABLE).join(', ')}`)
    }
    if (value === undefined) continue
    const { place, kind } = TABLE[name]
    const read = READERS[kind](name, value, TABLE[name])
    if (kind === 'names') {
      numbers.push(place, 0, read.length)
      lists += read
    } else {
      numbers.push(place, read, 0)
    }
  }
  return { numbers, lists }
}
