import MarkdownIt from 'markdown-it'
import { linkify, urlgrep } from 'urlgrep'

const md = new MarkdownIt().use(urlgrep, { fuzzyLink: false })
const first = md.renderInline('h.org http://h.org/a.')
md.linkify = linkify().add('git:', 'http:').set({ fuzzyLink: true })
const second = new MarkdownIt().use(urlgrep, { 'git:': 'http:' }, { fuzzyLink: true })
console.log(first, md.renderInline('h.org'), second.renderInline('git://h.org'))
