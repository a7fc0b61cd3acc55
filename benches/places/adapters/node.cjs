// The packages for JavaScript, by name, with their defaults: by what the text has, not by what they link to. NODE_PATH is the
// folder node_modules that has them.
const { readFileSync } = require('node:fs')

const name = process.argv[2]
const find = {
  'linkify-it': linkify => {
    const finder = new (linkify.default ?? linkify.LinkifyIt ?? linkify)()
    return text => (finder.match(text) ?? []).map(match => match.raw)
  },
  linkifyjs: ({ find }) => text => find(text).map(match => match.value),
  'twitter-text': ({ extractUrls }) => text => extractUrls(text),
}[name](require(name))

console.log(JSON.stringify({ version: `${name} ${require(`${name}/package.json`).version}` }))
for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  console.log(JSON.stringify({ urls: find(JSON.parse(line).text) }))
}
