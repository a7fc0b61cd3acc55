// Runs the fixtures of linkify-it and markdown-it with linkify():
//
//     node bindings/js/tools/fixtures.mjs LINKIFY_IT MARKDOWN_IT
//
// Both are clones of their repositories; MARKDOWN_IT also has the package itself, in node_modules/markdown-it or above. Prints
// what differs. The exit status is 1 if what differs is not what KNOWN lists, with reasons.

import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { linkify } from '../dist/index.mjs'

// What differs, and why.
const KNOWN = new Map([
  ['http://foo.com/blah_blah_"doublequoted"', 'a quotation mark delimits URLs (RFC 1738, 2.2)'],
  ['test."foo".bar@gmail.co.uk!', 'the same, in an address'],
  ['https://example.com/foo`bar`baz\n', 'a backtick is no character of URLs (RFC 1738, 2.2); here it is code'],
  ['http://example.com_', 'a host may end in an underscore, as in the names of some services'],
])

const [linkifyIt, markdownIt] = process.argv.slice(2).map((path) => resolve(path))
const count = { same: 0, known: 0, differ: 0, withScheme: 0, sameWithScheme: 0 }

function judge(name, input, isSame, hasScheme, found) {
  const known = KNOWN.get(input)
  if (hasScheme) count.withScheme++
  if (isSame) {
    count.same++
    if (hasScheme) count.sameWithScheme++
    return
  }
  count[known === undefined ? 'differ' : 'known']++
  console.log(`${name}: ${JSON.stringify(input)}: found ${JSON.stringify(found)}${known ? `: ${known}` : ''}`)
}

const fixture = (name) => readFileSync(join(linkifyIt, 'test/fixtures', name), 'utf8').split(/\r?\n/).map((l) => l.replace(/^%.*/, ''))
const hasScheme = (text) => /(^|[^a-z])[a-z]+:\S/i.test(text)

function plainLinkify(options) {
  const linkifier = linkify(options)
  linkifier.normalize = () => {}
  return linkifier
}

// A line, and the link in it on the next one if that is not the whole line.
function links() {
  const linkifier = plainLinkify({ fuzzyLink: true, fuzzyIP: true })
  const lines = fixture('links.txt')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]
    if (!line.trim()) continue
    const wanted = lines[i + 1]?.trim() ? lines[++i] : line
    const found = linkifier.match(line)?.[0].url
    const isSame = linkifier.pretest(line) && linkifier.test(line) && linkifier.test(`\n${line}\n`) && found === wanted
    judge('links.txt', line, isSame, hasScheme(wanted), found)
  }
}

function notLinks() {
  const linkifier = plainLinkify({ fuzzyLink: true })
  for (const line of fixture('not_links.txt').filter((line) => line.trim())) {
    judge('not_links.txt', line, !linkifier.test(line), hasScheme(line), linkifier.match(line)?.map(({ url }) => url))
  }
}

// Blocks: a line of a dot, Markdown, another, HTML, another.
function markdown() {
  const folder = join(markdownIt, 'test/fixtures/markdown-it')
  const loaded = createRequire(join(markdownIt, 'package.json'))('markdown-it')
  const MarkdownIt = loaded.markdownit ?? loaded.MarkdownIt ?? loaded.default ?? loaded
  const md = MarkdownIt({ html: true, langPrefix: '', typographer: true, linkify: true })
  // What is a link without a scheme differs between the versions.
  md.linkify = linkify({ fuzzyLink: md.linkify.__opts__.fuzzyLink })
  for (const name of readdirSync(folder)) {
    const parts = readFileSync(join(folder, name), 'utf8').split(/^\.$\n?/m)
    for (let i = 1; i + 1 < parts.length; i += 3) {
      // How the fixtures write a tab.
      const [input, wanted] = [parts[i], parts[i + 1]].map((part) => part.replace(/→/g, '\t'))
      const found = md.render(input)
      judge(name, input, found === wanted, false, found)
    }
  }
}

links()
notLinks()
const { same, withScheme, sameWithScheme } = count
console.log(`linkify-it: ${same} the same, of those with schemes ${sameWithScheme} of ${withScheme}`)
if (markdownIt) {
  markdown()
  console.log(`markdown-it: ${count.same - same} the same`)
}
console.log(`${count.known} known to differ, ${count.differ} others`)
process.exit(count.differ === 0 ? 0 : 1)
