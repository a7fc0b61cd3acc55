import { details, findAll } from 'urlgrep'

const [match] = findAll('at <URL:http://h.org/long-\n  path>.')
console.log(match.url, details(match).host)
