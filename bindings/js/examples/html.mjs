// A text as HTML, with links that say nothing of the page and are shown short: node html.mjs <FILE. It needs `npm install urlgrep`.

import { readFileSync } from 'node:fs'
import { findAll } from 'urlgrep'

const escaped = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const shortened = (url) => (url.length > 40 ? `${url.slice(0, 39)}…` : url)

export function html(text) {
  let html = ''
  let end = 0
  for (const { href, url, pieces: [[from, to]] } of findAll(text, { join: 'none', schemes: ['http', 'https', 'mailto'] })) {
    html += `${escaped(text.slice(end, from))}<a href="${escaped(href)}" rel="nofollow noreferrer" target="_blank">${escaped(shortened(url))}</a>`
    end = to
  }
  return html + escaped(text.slice(end))
}

process.stdout.write(html(readFileSync(0, 'utf8')))
