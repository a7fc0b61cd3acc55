// The text with its URLs marked. It is drawn in slices, so that the page can respond between two of them.

// The maximum number of bytes of a text, and of matches in it, that are drawn.
const DRAWN = { text: 300000, matches: 3000 }
// The minimum length of a slice in bytes. It ends at the end of a line, because it is drawn as a block.
const SLICE = 16000

// The number of drawings so far, and whether the last one is still running.
const marks = { drawings: 0, isDrawing: false }

// Draws the text with its URLs: the first slice immediately, and the others unless another drawing begins.
async function drawText() {
  const drawing = ++marks.drawings
  const marked = at('marked')
  let count = 0
  marks.isDrawing = true
  for (const slice of slicesOf(state.text, state.items)) {
    if (count > 0) await new Promise((resolve) => setTimeout(resolve))
    if (drawing !== marks.drawings) return
    // Replace the old element, so that the page does not scroll.
    if (count < marked.children.length) marked.children[count].replaceWith(slice)
    else marked.append(slice)
    count++
  }
  while (marked.children.length > count) marked.lastChild.remove()
  marks.isDrawing = false
}

// Yields the slices of the text as elements. If a match has alternatives, the first one is drawn.
function* slicesOf(bytes, items) {
  const end = charEnd(bytes, DRAWN.text)
  let slice = element('div')
  let [begin, from] = [0, 0]
  const take = (to) => {
    const text = decoder.decode(bytes.subarray(from, to))
    from = to
    return text
  }
  function* plain(to) {
    while (from < to) {
      const least = Math.max(from, begin + SLICE)
      const line = bytes.subarray(least, to).indexOf(10)
      const next = line < 0 ? to : least + line + 1
      while (from < next) slice.append(...visible(take(Math.min(next, charEnd(bytes, from + SLICE)))))
      if (line < 0) return
      yield slice
      slice = element('div')
      begin = from
    }
  }
  const drawn = items.slice(0, DRAWN.matches).map((item, i) => ({ item, i }))
  drawn.sort((a, b) => a.item.start - b.item.start)
  for (const { item, i } of drawn) {
    const { line } = parsed(item)
    const { pieces } = line
    const start = Math.min(line.start, pieces[0]?.[0] ?? Infinity)
    const stop = Math.max(line.end, pieces.at(-1)?.[1] ?? 0)
    if (start < from || stop > end) continue
    yield* plain(start)
    pieces.forEach(([start, stop], piece) => {
      between(slice, take(start), i)
      slice.append(pieceOf(take(stop), item, i, piece))
    })
    between(slice, take(stop), i)
  }
  yield* plain(end)
  if (end < bytes.length) slice.append(element('p', { className: 'hint' }, `The first ${size(end)} are drawn.`))
  if (slice.hasChildNodes()) yield slice
}

// The last position up to `end` that does not split a character.
function charEnd(bytes, end) {
  if (end >= bytes.length) return bytes.length
  while ((bytes[end] & 0xc0) === 0x80) end--
  return end
}

// Delimiters, line breaks and other text that does not belong to the URL.
function between(slice, text, i) {
  if (text !== '') slice.append(numbered(element('span', { className: 'around' }, ...visible(text)), i))
}

function pieceOf(text, item, i, piece) {
  const mark = element('mark', { className: 'piece' }, ...visible(text))
  // Each URL is one tab stop.
  if (piece === 0) {
    mark.tabIndex = 0
    mark.setAttribute('role', 'button')
    // The accessible name begins with the visible text, so that users of speech control can say it (WCAG 2.5.3).
    mark.setAttribute('aria-label', `${spoken(clipped(text, LONGEST_CELL))}, of URL ${i + 1}: ${spoken(clipped(item.url, LONGEST_CELL))}`)
  }
  return numbered(mark, i)
}

// Marks the elements of match i as chosen or not.
function numbered(one, i) {
  one.dataset.number = i
  showChosen(one, i === state.chosen)
  return one
}

function showChosen(one, isChosen) {
  one.classList.toggle('chosen', isChosen)
  if (one.getAttribute('role') === 'button') one.setAttribute('aria-pressed', String(isChosen))
}
