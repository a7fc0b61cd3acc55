import MarkdownIt from 'markdown-it'
import { linkify } from 'urlgrep'

const md = new MarkdownIt({ linkify: true })
md.linkify = linkify({ fuzzyLink: false })
const first = md.renderInline('h.org http://h.org/a.')
md.linkify = linkify().add('git:', 'http:').set({ fuzzyLink: true })
console.log(first, md.renderInline('h.org'))
