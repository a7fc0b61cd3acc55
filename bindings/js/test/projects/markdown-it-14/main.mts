import MarkdownIt from 'markdown-it'
import { urlgrep } from 'urlgrep'

const md = new MarkdownIt().use(urlgrep, { fuzzyLink: false })
const second = new MarkdownIt().use(urlgrep, { 'git:': 'http:' }, { fuzzyLink: true })
console.log(md.renderInline('h.org http://h.org/a.'), second.renderInline('h.org git://h.org'))
