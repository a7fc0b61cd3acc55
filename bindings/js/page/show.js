// Inserts text into the page as text, never as markup, and shows invisible and bidi control characters by their numbers.

const at = (id) => document.getElementById(id)

// An element with properties and children; strings become text.
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

// Invisible characters and bidi controls.
const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu

// The text as nodes, with the numbers of its unusual characters.
function visible(text) {
  const nodes = []
  let from = 0
  for (const { 0: odd, index } of text.matchAll(ODD)) {
    // In many texts, a line ends with two bytes.
    if (odd === '\r' && text[index + 1] === '\n') continue
    const name = `U+${odd.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`
    nodes.push(text.slice(from, index), element('span', { className: 'odd' }, name))
    from = index + odd.length
  }
  nodes.push(text.slice(from))
  return nodes
}

// The text as a string, for names that a screen reader speaks.
const spoken = (text) => element('span', {}, ...visible(text)).textContent

const code = (text) => element('code', {}, ...visible(text))

// The start of a long text.
const clipped = (text, length) => (text.length > length ? `${text.slice(0, length)}…` : text)

const number = (value) => value.toLocaleString('en')

// "1 URL", "2 URLs".
const counted = (count, name) => `${number(count)} ${name}${count === 1 ? '' : 's'}`

// The length of a file, for people.
function size(bytes) {
  if (bytes < 1000) return `${bytes} bytes`
  const [unit, name] = bytes < 1e6 ? [1e3, 'KB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB']
  return `${(bytes / unit).toFixed(bytes < 10 * unit ? 1 : 0)} ${name}`
}
