import { createRequire } from 'node:module'
import { details, findAll } from 'urlgrep'

const required = createRequire(import.meta.url)('urlgrep')
const [match] = required.findAll('at <URL:http://h.org/long-\n  path>.')
console.log(findAll(match.url)[0].url, details(match).host)
