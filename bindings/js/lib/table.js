// The options of a search, as bindings/js/src/options.rs has them. Made from the table of the library by tests/it/options.rs; do not edit.

export const TABLE = {
  join: { place: 0, kind: 'oneOf', values: ['none', 'delimited', 'likely'] },
  hyphen: { place: 1, kind: 'oneOf', values: ['keep', 'drop', 'both'] },
  grade: { place: 2, kind: 'oneOf', values: ['lenient', 'rfc3986', 'rfc1738'] },
  schemes: { place: 4, kind: 'names' },
  schemeAdd: { place: 5, kind: 'names' },
  width: { place: 6, kind: 'number', least: 1 },
  delimitedRows: { place: 7, kind: 'flag' },
  maxLen: { place: 8, kind: 'number', least: 16 },
  iri: { place: 9, kind: 'oneOf', values: ['words', 'all', 'ascii'] },
  schemeless: { place: 10, kind: 'anyOf', values: ['hosts', 'emails', 'ips'] },
  refang: { place: 11, kind: 'flag' },
  lineNumbers: { place: 14, kind: 'flag' },
  explain: { place: 15, kind: 'flag' },
}

/// The names of earlier versions, and their current names.
export const RENAMED = {
  scheme: 'schemes',
  known: 'schemeAdd',
  cells: 'delimitedRows',
  hosts: 'schemeless',
  domains: 'schemeless',
  addresses: 'schemeless',
  ips: 'schemeless',
}
