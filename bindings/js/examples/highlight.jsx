// <Highlight text={text} /> shows a text with its URLs as links, each over all of its pieces.

import { useMemo } from 'react'
import { details, findAll } from 'urlgrep'

function parts(text) {
  const parts = []
  let from = 0
  for (const match of findAll(text)) {
    // A scheme that is not known to be safe may start a program.
    const href = details(match).isSafe ? match.href : undefined
    for (const [start, end] of match.pieces) {
      if (start > from) parts.push({ text: text.slice(from, start) })
      parts.push({ text: text.slice(start, end), href })
      from = end
    }
  }
  parts.push({ text: text.slice(from) })
  return parts
}

export function Highlight({ text }) {
  const all = useMemo(() => parts(text), [text])
  return (
    <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {all.map(({ text, href }, i) => (href ? <a key={i} href={href} title={href} rel="noreferrer">{text}</a> : text))}
    </span>
  )
}
