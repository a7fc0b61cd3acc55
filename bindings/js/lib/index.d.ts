/** Finds the URLs in a text by the rules of RFC 1738, Appendix. All offsets count UTF-16 units, as strings do. */

export type Join = NonNullable<Options['join']>
export type Hyphen = NonNullable<Options['hyphen']>
export type Grade = NonNullable<Options['grade']>
export type Form = 'wrapper' | 'angle' | 'quote' | 'paren' | 'prefixed' | 'bare' | 'defanged'
export type Warning = 'password' | 'port' | 'control' | 'userinfo' | 'ip' | 'truncated' | 'long_host'

/** The options of a search, with the same defaults as in the program and the library. */
export interface Options {
  /** Rejoin broken URLs: none, delimited ones, or also bare ones if there is evidence. Default: `'delimited'`. */
  join?: 'none' | 'delimited' | 'likely'
  /** Keep or drop a hyphen before a line break, or match both readings. Default: `'keep'`. */
  hyphen?: 'keep' | 'drop' | 'both'
  /** Match only URLs of at least this grade. Default: `'lenient'`. */
  grade?: 'lenient' | 'rfc3986' | 'rfc1738'
  /** Match only URLs with these schemes; an empty list matches nothing. */
  schemes?: string | readonly string[]
  /** Also match these schemes without "//", such as spotify. */
  schemeAdd?: string | readonly string[]
  /** Rejoin URLs that a terminal of this width wrapped (requires join=likely), in columns, at least 1. */
  width?: number
  /** Treat each line as a row of cells, separated by commas or semicolons. */
  delimitedRows?: boolean
  /** Skip URLs that are longer than this in the text, in bytes, at least 16. Default: 65536. */
  maxLen?: number
  /** Allow non-ASCII characters in bare URLs: letters of scripts that put spaces between words, all, or none. Default: `'words'`. */
  iri?: 'words' | 'all' | 'ascii'
  /** Also match without a scheme: hosts that start with www. or ftp., email addresses, IPv4 addresses. */
  schemeless?: 'hosts' | 'emails' | 'ips' | '' | readonly ('hosts' | 'emails' | 'ips')[]
  /** Match defanged URLs such as hxxp://h[.]org/, and restore them. */
  refang?: boolean
  /** Count lines, so that matches have a line and a column. */
  lineNumbers?: boolean
  /** Record why each match ends where it does. */
  explain?: boolean
}

/** The reason why the grade of a URL is not better. */
export interface Reason {
  /** The grammar production that rejects the URL. */
  production: string
  /** The offset in the `href` at which the production fails. */
  offset: number
  /** The text that the grammar expected at this offset, and the text that it found. */
  message: string
}

/** The reason why a URL without delimiters ends. */
export interface Ending {
  /** The text that ends the URL. */
  stop: string
  /** The length of the text that was trimmed before it, such as the punctuation of a sentence, in bytes of UTF-8. */
  trimmed: number
}

/**
 * A URL in a text, as plain data that can be copied, compared, printed as JSON and sent to a worker. Engines may keep the whole
 * text in memory for its strings; `structuredClone(match)` has strings of its own.
 */
export interface Match {
  /** The URL, rejoined if it was broken across lines. */
  readonly url: string
  /** The URL including an implied scheme: `http://www.h.org/` for `www.h.org/`. */
  readonly href: string
  /** True if the scheme is written, false if it is implied. */
  readonly hasScheme: boolean
  /** The offset at which the match starts, including delimiters. */
  readonly start: number
  /** The offset after the end of the match, including delimiters. */
  readonly end: number
  /** The range of the URL without delimiters: from the start of its first piece to the end of the last. */
  readonly urlRange: [start: number, end: number]
  /** The ranges of the URL's pieces, in order. */
  readonly pieces: [start: number, end: number][]
  /** How the URL is written: by its delimiters or the text around it. */
  readonly form: Form
  /** The role of the URL for a reader. It is always `'text'`, because pages are not parsed. */
  readonly role: 'text'
  /** The way in which lines were joined; null if the URL is on one line. */
  readonly join: 'delimited' | 'flowed' | 'guess' | null
  /** The rule that joined the lines, if `join` is `'guess'`. */
  readonly guess: 'S' | 'D' | 'W' | 'E' | 'P' | 'M' | 'L' | 'F' | 'T' | null
  /** True if an ellipsis follows the URL, so that the text may have truncated it. */
  readonly isTruncated: boolean
  /** The other readings, likeliest first. */
  readonly alternatives: string[]
  /** The line number, from 1; null without the option `lineNumbers`. */
  readonly line: number | null
  /** The column, from 1; null without the option `lineNumbers`. */
  readonly column: number | null
  /** The reason why the URL ends; null between delimiters. It is recorded with the option `explain` or `join: 'likely'`; otherwise it is null. */
  readonly ending: Ending | null
}

/** Properties that depend only on the URL. */
export interface Details {
  /** The scheme in lower case. */
  readonly scheme: string
  /** The host in lower case; null if the URL has no host. */
  readonly host: string | null
  /** The port in the URL, or the default of the scheme; null if the scheme has no default. */
  readonly port: number | null
  /** How well formed the URL is. */
  readonly grade: Grade
  /** The reason why the grade is not better; null for the best grade. */
  readonly reason: Reason | null
  /** The warnings that apply to the URL. */
  readonly warnings: Warning[]
  /** True if opening a URL with this scheme only displays something, as for `https`. False for an unknown scheme. */
  readonly isSafe: boolean
}

/**
 * Returns the properties of the URL of a match, by its `href`. A text that is not a URL has the grade `'lenient'`. This is a call
 * into WebAssembly, which takes some microseconds.
 */
export function details(match: { readonly href: string, readonly isTruncated?: boolean }): Details

/**
 * A match with the keys of `urlgrep --json`. Two values differ: `column` counts UTF-16 units instead of bytes, and `warnings`
 * lists only values of `Warning`, without `mixed_script`, `shortener`, `hosted` and `redirect`.
 */
export interface MatchRecord extends
  Pick<Match, 'line' | 'column' | 'start' | 'end' | 'pieces' | 'url' | 'form' | 'role' | 'join' | 'alternatives'>,
  Pick<Details, 'scheme' | 'host' | 'port' | 'grade' | 'reason' | 'warnings'> {}

/** Returns the keys of `urlgrep --json` that apply to a text, in the same order: all except the keys of files, pages, mail and IDNA. */
export function record(match: Match): MatchRecord

/** The method that `using` calls, if the TypeScript version supports it. */
type Disposing = SymbolConstructor extends { readonly dispose: infer Dispose extends symbol } ? Record<Dispose, () => void> : {}

/**
 * A search with options that are compiled once. It uses memory outside of JavaScript, which is given back by `free`, at the end of
 * the block of `using finder = new Finder()`, or some time after the finder is garbage-collected.
 *
 * @throws TypeError for an option that does not exist or has a wrong type, RangeError or Error for a wrong value
 */
export class Finder {
  /** Compiles the options. */
  constructor(options?: Options)
  /** Returns the URLs in `text`, in the order in which they start. Time is linear in the length of the text. */
  findAll(text: string): Match[]
  /** Returns true if `text` contains a URL. The whole text is searched. */
  isMatch(text: string): boolean
  /**
   * Returns the match that covers the code unit at `offset`, including its delimiters and the text between its pieces. This is the URL
   * that a click there opens. The match has no line. The text is copied, but only the part near the offset is searched.
   *
   * @throws RangeError if `offset` is not an integer of at least 0
   */
  findCovering(text: string, offset: number): Match | null
  /**
   * Returns the match that starts at the code unit `offset`, including its delimiters, as if the text began there: for inline parsers.
   * The match has no line. The text is copied once for all calls in a row.
   *
   * @throws RangeError if `offset` is not an integer of at least 0
   */
  matchAt(text: string, offset: number): Match | null
  /** Returns a search of a text that comes in chunks. */
  scanner(): Scanner
  /** Returns false if `text` certainly contains no match. Much faster than a search. */
  pretest(text: string): boolean
  /** Frees the memory now instead of at garbage collection. After that, findAll throws; earlier matches stay valid. */
  free(): void
}
export interface Finder extends Disposing {}

/**
 * A search of a text of any length that comes in chunks. It yields the matches of the whole text, regardless of where the text is
 * split, and offsets count from its start. Memory depends on `maxLen`, and is about 1 MB; time is linear even for short chunks.
 */
export interface Scanner {
  /** Adds a chunk. Returns the matches that are certain now, in order. */
  push(chunk: string): Match[]
  /** Ends the text. Returns the last matches. The next chunk begins another text. */
  finish(): Match[]
  /** Frees the memory now instead of at garbage collection. */
  free(): void
}
export interface Scanner extends Disposing {}

/** Returns the URLs in `text`. Finders with options that were used before are cached. */
export function findAll(text: string, options?: Options): Match[]

/** Returns true if `text` contains a URL: see `Finder.isMatch`. */
export function isMatch(text: string, options?: Options): boolean

/** Returns the match that covers the code unit at `offset`: see `Finder.findCovering`. */
export function findCovering(text: string, offset: number, options?: Options): Match | null

/** Returns the match that starts at the code unit `offset`: see `Finder.matchAt`. */
export function matchAt(text: string, offset: number, options?: Options): Match | null

/** A link, with the properties of linkify-it. */
export interface Link {
  /** The scheme with its colon, in lower case; empty without a scheme. */
  schema: string
  /** The offset at which the link starts. */
  index: number
  /** The offset after the end of the link. */
  lastIndex: number
  /** The text of the link. */
  raw: string
  /** The text of the link, or the URL if the text encodes or breaks it. */
  text: string
  /** The URL, with a scheme. */
  url: string
}

/** The definition of a schema, for `add`. */
export interface Definition {
  /** Returns the length of the link that continues at `position`, or 0; or a pattern for the text after the prefix. */
  validate?: ((text: string, position: number, self: Linkify) => number | boolean) | RegExp
  /** Changes the link in place, for example its `url`. */
  normalize?: (link: Link, self: Linkify) => void
}

/** The links without a scheme. */
export interface Fuzzy {
  /** Treat hosts without a scheme as links. Default: true, as in linkify-it 5. */
  fuzzyLink?: boolean
  /** Treat email addresses without a scheme as links. Default: true. */
  fuzzyEmail?: boolean
  /** With `fuzzyLink`: treat IPv4 addresses as links. Default: false. */
  fuzzyIP?: boolean
}

// @ts-ignore: markdown-it may not be installed, or have no such type. Then it is `any`.
import type { MarkdownIt } from 'markdown-it' with { 'resolution-mode': 'import' }

// `unknown` if it is `any`.
type LinkifyOf<T> = T extends { linkify: infer L } ? L : unknown

/** The interface of linkify-it, for markdown-it: see `urlgrep`. If markdown-it is installed, it includes the members that only linkify-it uses. */
export type Linkify = Linkifier & LinkifyOf<MarkdownIt>

/** The members of linkify-it that markdown-it uses. */
export interface Linkifier {
  /**
   * Sources of regular expressions for validators, with the names of linkify-it 5: `src_ZPCc`, `src_host_port_strict`, `src_path` and
   * others. Validators may keep their own expressions there. The object is created again after `add`, `set` and `tlds`.
   */
  readonly re: Record<string, any>
  /** Returns false if `text` certainly contains no link. */
  pretest(text: string): boolean
  /** Returns true if `text` contains a link. */
  test(text: string): boolean
  /** Returns the length of the link with this schema whose text after the schema starts at `position`, or 0. */
  testSchemaAt(text: string, schema: string, position: number): number
  /** Returns the links in `text`, or null if it contains none. */
  match(text: string): Link[] | null
  /** Returns the link with a scheme at the start of `text`, or null. */
  matchAtStart(text: string): Link | null
  /** Adds a schema, or removes it if the definition is null. A string is the name of a schema with the same rules. */
  add(schema: string, definition?: Definition | string | null): this
  /** Sets which links without a scheme match. */
  set(options?: Fuzzy): this
  /** Replaces the top-level domains of hosts without a scheme, or adds to them if `keepOld` is true. */
  tlds(list: string | readonly string[], keepOld?: boolean): this
  /** Completes a link: adds the scheme to its `url`. */
  normalize(link: Link): void
  /** Does nothing. */
  onCompile(): void
}

export type LinkifyOptions = Fuzzy & Options & {
  /** The top-level domains of hosts without a scheme, instead of the list of linkify-it. */
  tlds?: string | readonly string[]
}

/** Returns a finder of links with the interface of linkify-it: http, https, ftp and mailto, and the schemes that are added. */
export function linkify(options?: LinkifyOptions): Linkify
/**
 * Returns a finder with these schemas, as for `add`: `{ 'git:': 'http:', '@': { validate } }`. Without options, a schema needs a name
 * that contains a character other than a letter, which distinguishes schemas from options.
 */
export function linkify(schemas: Record<string, Definition | string | null>, options?: LinkifyOptions): Linkify

/**
 * The plugin of markdown-it: `md.use(urlgrep, options)` or `md.use(urlgrep, schemas, options)`. It turns the option `linkify` of
 * markdown-it on, and replaces `md.linkify` by `linkify` with these arguments.
 */
export function urlgrep(
  md: { linkify: any, set(options: { linkify: boolean }): unknown },
  schemas?: LinkifyOptions | Record<string, Definition | string | null>,
  options?: LinkifyOptions,
): void
