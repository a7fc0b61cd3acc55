// The `re` of linkify-it: sources of regular expressions, from which validators build their own. They do not use the flag u, because
// validators do not either; so Unicode whitespace and punctuation are written as UTF-16 units.

const unit = (code) => `\\u${code.toString(16).padStart(4, '0')}`

// The characters of the first two planes; the other planes contain none of these classes.
const planes = () => Array.from({ length: 0x20000 }, (_, code) => (code >> 11 === 0x1b ? '' : String.fromCodePoint(code))).join('')

// Matches the characters of `runs`: a class for characters of one unit, and for each high surrogate a class of its low surrogates.
function characters(all, runs) {
  const classes = new Map([['', '']])
  const add = (half, range) => classes.set(half, (classes.get(half) ?? '') + range)
  for (const [run] of all.matchAll(runs)) {
    if (run.codePointAt(0) > 0xffff) for (const pair of run) add(unit(pair.charCodeAt(0)), unit(pair.charCodeAt(1)))
    else add('', `${unit(run.charCodeAt(0))}-${unit(run.charCodeAt(run.length - 1))}`)
  }
  return `(?:${[...classes].map(([half, members]) => `${half}[${members}]`).join('|')})`
}

// Computed once, because it takes tens of milliseconds.
let known

function characterSources() {
  const all = planes()
  const src_Z = characters(all, /\p{Z}+/gu)
  const src_P = characters(all, /\p{P}+/gu)
  const src_Cc = characters(all, /\p{Cc}+/gu)
  const src_Any = '(?:[\\ud800-\\udbff][\\udc00-\\udfff]|[^])'
  return { src_Any, src_Z, src_P, src_Cc, src_ZCc: `(?:${src_Z}|${src_Cc})`, src_ZPCc: `(?:${src_Z}|${src_P}|${src_Cc})` }
}

/// Returns the sources; `tlds` is the source for the top-level domain of a host without a scheme.
export function sources(tlds) {
  known ??= characterSources()
  const { src_Any, src_ZCc, src_ZPCc } = known
  const separator = '[<>\\uff5c]'
  const src_pseudo_letter = `(?:(?!${separator}|${src_ZPCc})${src_Any})`
  const src_xn = 'xn--[a-z0-9-]{1,59}'
  const src_domain = `(?:${src_xn}|${src_pseudo_letter}(?:(?:${src_pseudo_letter}|-){0,61}${src_pseudo_letter})?)`
  const src_domain_root = `(?:${src_xn}|${src_pseudo_letter}{1,63})`
  const src_host = `(?:(?:${src_domain}\\.){0,10}${src_domain})`
  const src_port = '(?::\\d{1,5})?'
  // A host must be a whole word.
  const src_host_terminator = `(?=$|${separator}|${src_ZPCc})(?!-|_|:\\d|\\.(?:-|${src_pseudo_letter}))`
  const inPath = `(?:(?!${src_ZCc}|[<>"\\uff5c])${src_Any})`
  const plain = `(?![.,;:!?'()[\\]{}])${inPath}`
  const pair = (open, close) => `\\${open}(?:(?!\\${open}|\\${close})${inPath}){0,100}\\${close}`
  const group = `${pair('(', ')')}|${pair('[', ']')}|${pair('{', '}')}`
  const nameCharacter = "[a-z0-9_!#$%&'*+/=?^{|}~-]"
  return {
    ...known,
    src_pseudo_letter, src_xn, src_domain, src_domain_root, src_host, src_port, src_host_terminator,
    src_tlds: tlds,
    src_ip4: '(?:\\d{1,3}\\.){3}\\d{1,3}',
    src_auth: `(?:(?:(?!${src_ZCc}|[@/()[\\]])${src_Any}){1,50}@)?`,
    src_host_strict: src_host + src_host_terminator,
    src_host_port_strict: src_host + src_port + src_host_terminator,
    src_path: `(?:[/?#](?:${group}|${plain}|[.,;:!?']{1,20}(?=${plain}|[([{])){0,10000})?`,
    src_email_name: `${nameCharacter}(?:${nameCharacter}|\\.(?=${nameCharacter})){0,63}`,
  }
}
