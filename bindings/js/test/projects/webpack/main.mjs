import init, { details, findAll } from 'urlgrep/web'

init().then(() => {
  const [match] = findAll('at <URL:http://h.org/long-\n  path>.')
  return fetch('/said', { method: 'POST', body: `${match.url} ${details(match).host}` })
})
