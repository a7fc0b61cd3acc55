// Markdown to HTML, with the URLs in it as links: node markdown-it.mjs FILE. It needs `npm install urlgrep markdown-it`.

import { readFileSync } from 'node:fs'
import MarkdownIt from 'markdown-it'
import { urlgrep } from 'urlgrep'

const md = new MarkdownIt().use(urlgrep, { fuzzyLink: true })
process.stdout.write(md.render(readFileSync(process.argv[2], 'utf8')))
