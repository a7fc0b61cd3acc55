/** Finds every URL in text, as the Appendix of RFC 1738 says a reader should. All offsets count UTF-16 units, as strings do. */

export type Join = NonNullable<Options['join']>
export type Hyphen = NonNullable<Options['hyphen']>
export type Grade = NonNullable<Options['grade']>
export type Form = 'wrapper' | 'angle' | 'quote' | 'paren' | 'prefixed' | 'bare' | 'defanged'
export type Warning = 'password' | 'port' | 'control' | 'userinfo' | 'ip' | 'truncated'

/** The options of a search: those of the program and of the library, with the same defaults. */
export interface Options {
  /** Which broken URLs are rejoined: none, only delimited URLs, or also bare URLs if there is evidence. Default: `'delimited'`. */
  join?: 'none' | 'delimited' | 'likely'
  /** How to read a hyphen before a line break: keep it, drop it, or match both readings. Default: `'keep'`. */
  hyphen?: 'keep' | 'drop' | 'both'
  /** The lowest grade of a match. Default: `'lenient'`. */
  grade?: 'lenient' | 'rfc3986' | 'rfc1738'
  /** Only URLs of these schemes match; an empty list matches nothing. */
  schemes?: string | readonly string[]
  /** More schemes that match without "//", such as spotify. */
  schemeAdd?: string | readonly string[]
  /** The width of the terminal that the text was copied from, if join is likely, in columns, at least 1. */
  width?: number
  /** Treat each line as a row of cells, separated by commas or semicolons. */
  delimitedRows?: boolean
  /** The maximum length of a URL in the text, in bytes, at least 16. Default: 65536. */
  maxLen?: number
  /** Which non-ASCII characters bare URLs may contain: those of scripts that put spaces between words, all, or none. Default: `'words'`. */
  iri?: 'words' | 'all' | 'ascii'
  /** What matches without a scheme: hosts that start with www. or ftp., email addresses, IPv4 addresses, and domain names (all, or only those that do not look like file names). */
  schemeless?: 'hosts' | 'emails' | 'ips' | '' | readonly ('hosts' | 'emails' | 'ips')[]
  /** Match defanged URLs such as hxxp://h[.]org/, and restore them. */
  refang?: boolean
  /** Count lines, so that matches have a line and a column. */
  lineNumbers?: boolean
  /** Record why each match ends where it does. */
  explain?: boolean
}

/** Why the grade of a URL is not better. */
export interface Reason {
  /** The production of the grammar that refuses it. */
  production: string
  /** Where, in the `href`. */
  offset: number
  message: string
}

/** Why a URL without delimiters ends where it does. */
export interface Ending {
  /** What is there. */
  stop: string
  /** How many bytes were trimmed before it, as marks that end a sentence. */
  trimmed: number
}

/**
 * A URL in a text: plain data, which can be copied, compared, printed as JSON and sent to a worker. Engines may keep the whole text
 * for its strings; `structuredClone(match)` has its own.
 */
export interface Match {
  /** The URL, put together if lines broke it. */
  readonly url: string
  /** The URL with its scheme, if that is implied: `http://www.h.org/` for `www.h.org/`. */
  readonly href: string
  /** Whether the scheme is written, not implied. */
  readonly hasScheme: boolean
  /** Where the match starts, delimiters included. */
  readonly start: number
  /** Where it ends, delimiters included. */
  readonly end: number
  /** The places of the pieces of the URL, in order: starts and ends. */
  readonly pieces: [start: number, end: number][]
  readonly form: Form
  /** What the URL is to a reader: it is read, since no page is searched. */
  readonly role: 'text'
  /** How lines were joined, if they were. */
  readonly join: 'delimited' | 'flowed' | 'guess' | null
  /** The rule of a guess. */
  readonly guess: 'S' | 'D' | 'W' | 'E' | 'P' | 'M' | 'L' | 'F' | 'T' | null
  /** Whether only the start of the URL is shown, before an ellipsis. */
  readonly isCut: boolean
  /** The other readings, likeliest first. */
  readonly alternatives: string[]
  /** From 1; null without the option `lineNumbers`. */
  readonly line: number | null
  /** From 1; null without the option `lineNumbers`. */
  readonly column: number | null
  /** Null without the option `explain`, and between delimiters. */
  readonly ending: Ending | null
}

/** What is known of a URL by itself. */
export interface Details {
  /** In lower case. */
  readonly scheme: string
  /** In lower case. */
  readonly host: string | null
  /** The port in the URL, or the default of the scheme. */
  readonly port: number | null
  readonly grade: Grade
  readonly reason: Reason | null
  readonly warnings: Warning[]
  /** Whether a program that opens a URL of this scheme only shows something. False for any unknown scheme. */
  readonly isSafe: boolean
}

/** What is known of the URL of a match by itself, by its `href`: a call into WebAssembly, which takes some microseconds. */
export function details(match: { readonly href: string, readonly isCut?: boolean }): Details

/** A match as `urlgrep --json` prints it. */
export interface MatchRecord extends
  Pick<Match, 'line' | 'column' | 'start' | 'end' | 'pieces' | 'url' | 'form' | 'role' | 'join' | 'alternatives'>,
  Pick<Details, 'scheme' | 'host' | 'port' | 'grade' | 'reason' | 'warnings'> {}

/** The keys of `urlgrep --json` that a text has, in the same order: all but those of files, pages, mail and IDNA. */
export function record(match: Match): MatchRecord

/** A method for `using`, where the types of the language know it. */
type Disposing = SymbolConstructor extends { readonly dispose: infer Dispose extends symbol } ? Record<Dispose, () => void> : {}

/**
 * A search with options that are compiled once. It has memory outside of JavaScript, which is given back by `free`, at the end of
 * the block of `using finder = new Finder()`, or some time after it is collected.
 *
 * @throws TypeError for an option that does not exist or has a wrong type, RangeError or Error for a wrong value
 */
export class Finder {
  constructor(options?: Options)
  /** The URLs in `text`, in the order in which they start. Time is linear in its length. */
  findAll(text: string): Match[]
  /**
   * The match that has the unit at `offset`, in its delimiters or between its pieces: what a click there opens. It has no line. The text
   * is copied; of the copy only what is near the offset is searched.
   *
   * @throws RangeError if `offset` is no whole number from 0
   */
  findCovering(text: string, offset: number): Match | null
  /** A search of a text that comes in chunks. */
  scanner(): Scanner
  /** Whether `text` may have a match, by a test of a few characters. */
  pretest(text: string): boolean
  /** Gives the memory back at once. After that, findAll is an error; its matches stay. */
  free(): void
}
export interface Finder extends Disposing {}

/**
 * A search of a text of any length that comes in chunks, wherever they are cut: it has the matches of the whole text, whose offsets are
 * those in all of it. Memory depends on `maxLen`, and is about 1 MB; time is linear, however short the chunks are.
 */
export interface Scanner {
  /** Adds a chunk. Returns the matches that are certain now, in order. */
  push(chunk: string): Match[]
  /** Ends the text. Returns the last matches. The next chunk begins another text. */
  finish(): Match[]
  /** Gives the memory back at once. */
  free(): void
}
export interface Scanner extends Disposing {}

/** The URLs in `text`. Finders of options that were used before are kept. */
export function findAll(text: string, options?: Options): Match[]

/** The match that has the unit at `offset`: see `Finder.findCovering`. */
export function findCovering(text: string, offset: number, options?: Options): Match | null

/** A link, as linkify-it has it. */
export interface Link {
  /** The scheme with its colon, in lower case; empty if none is written. */
  schema: string
  index: number
  lastIndex: number
  /** The text of the link. */
  raw: string
  /** The same, or the URL if the text encodes or breaks it. */
  text: string
  /** The URL, with a scheme. */
  url: string
}

export interface Definition {
  /** How long the link is that goes on at `position`, 0 if it is none; or a pattern of what follows the prefix. */
  validate?: ((text: string, position: number, self: Linkify) => number | boolean) | RegExp
  normalize?: (link: Link, self: Linkify) => void
}

export interface Fuzzy {
  /** Whether hosts without a scheme are links. Default: true, as in linkify-it 5. */
  fuzzyLink?: boolean
  /** Whether mail addresses without a scheme are links. Default: true. */
  fuzzyEmail?: boolean
  /** With `fuzzyLink`: whether IPv4 addresses are, too. Default: false. */
  fuzzyIP?: boolean
}

// @ts-ignore: markdown-it may not be installed, or have no such type. Then it is `any`.
import type { MarkdownIt } from 'markdown-it' with { 'resolution-mode': 'import' }

// `unknown` if it is `any`.
type LinkifyOf<T> = T extends { linkify: infer L } ? L : unknown

/** What linkify-it has, for `md.linkify = linkify()` in markdown-it: for its types, where it is installed, also what only linkify-it uses. */
export type Linkify = Linkifier & LinkifyOf<MarkdownIt>

export interface Linkifier {
  /**
   * Sources of regular expressions for validators, by the names that linkify-it 5 has: `src_ZPCc`, `src_host_port_strict`, `src_path` and
   * others. Validators may keep their own expressions there. It is made anew after `add`, `set` and `tlds`.
   */
  readonly re: Record<string, any>
  pretest(text: string): boolean
  test(text: string): boolean
  testSchemaAt(text: string, schema: string, position: number): number
  match(text: string): Link[] | null
  matchAtStart(text: string): Link | null
  add(schema: string, definition?: Definition | string | null): this
  set(options?: Fuzzy): this
  tlds(list: string | readonly string[], keepOld?: boolean): this
  normalize(link: Link): void
  onCompile(): void
}

export type LinkifyOptions = Fuzzy & Options & {
  /** What a host without a scheme may end in, in place of the list of linkify-it. */
  tlds?: string | readonly string[]
}

/** Links as linkify-it finds them: of http, https, ftp and mailto, and of the schemes that are added. */
export function linkify(options?: LinkifyOptions): Linkify
/**
 * The same with schemas, as for `add`: `{ 'git:': 'http:', '@': { validate } }`. Alone they need a name with another character than a
 * letter, by which they are told from options.
 */
export function linkify(schemas: Record<string, Definition | string | null>, options?: LinkifyOptions): Linkify
