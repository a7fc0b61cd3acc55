// The options of a search, as bindings/js/src/options.rs has them. Made from the table of the library by tests/it/options.rs; do not edit.

export const TABLE = {
  join: { place: 0, kind: 'oneOf', values: ['none', 'delimited', 'likely'] },
  hyphen: { place: 1, kind: 'oneOf', values: ['keep', 'drop', 'both'] },
  grade: { place: 2, kind: 'oneOf', values: ['lenient', 'rfc3986', 'rfc1738'] },
  schemes: { place: 4, kind: 'names' },
  known: { place: 5, kind: 'names' },
  width: { place: 6, kind: 'number', least: 1 },
  cells: { place: 7, kind: 'flag' },
  maxLength: { place: 8, kind: 'number', least: 16 },
  iri: { place: 9, kind: 'oneOf', values: ['words', 'all', 'ascii'] },
  hosts: { place: 10, kind: 'flag' },
  addresses: { place: 12, kind: 'flag' },
  ips: { place: 13, kind: 'flag' },
  refang: { place: 14, kind: 'flag' },
  lineNumbers: { place: 16, kind: 'flag' },
  explain: { place: 17, kind: 'flag' },
}
