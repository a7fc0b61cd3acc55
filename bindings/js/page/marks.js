// The text with its URLs marked. It is drawn in slices, and the page answers between two of them.

// No more bytes of a text are drawn, and no more of the matches in it.
const DRAWN = { text: 300000, matches: 3000 }
// The least length of a slice in bytes. It ends with a line, since it is a block.
const SLICE = 16000

// The number of drawings so far, and whether the last one goes on.
const marks = { drawings: 0, isDrawing: false }

// Draws the text with its URLs: the first slice at once, and the rest unless another drawing begins.
async function drawText() {
  const drawing = ++marks.drawings
  const marked = at('marked')
  let count = 0
  marks.isDrawing = true
  for (const slice of slicesOf(state.text, state.items)) {
    if (count > 0) await new Promise((resolve) => setTimeout(resolve))
    if (drawing !== marks.drawings) return
    // In the place of an old one, so that nothing scrolls.
    if (count < marked.children.length) marked.children[count].replaceWith(slice)
    else marked.append(slice)
    count++
  }
  while (marked.children.length > count) marked.lastChild.remove()
  marks.isDrawing = false
}

// The text in slices, which are elements. Of two readings the first is drawn.
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

// The last place up to `end` at which no character is cut.
function charEnd(bytes, end) {
  if (end >= bytes.length) return bytes.length
  while ((bytes[end] & 0xc0) === 0x80) end--
  return end
}

// Delimiters, line ends and what else is not the URL.
function between(slice, text, i) {
  if (text !== '') slice.append(numbered(element('span', { className: 'around' }, ...visible(text)), i))
}

function pieceOf(text, item, i, piece) {
  const mark = element('mark', { className: 'piece' }, ...visible(text))
  // One stop of the keyboard for each URL.
  if (piece === 0) {
    mark.tabIndex = 0
    mark.setAttribute('role', 'button')
    // What is seen comes first, for those who say it.
    mark.setAttribute('aria-label', `${spoken(clipped(text, LONGEST_CELL))}, of URL ${i + 1}: ${spoken(clipped(item.url, LONGEST_CELL))}`)
  }
  return numbered(mark, i)
}

// An element of match i, which shows whether that is chosen.
function numbered(one, i) {
  one.dataset.number = i
  showChosen(one, i === state.chosen)
  return one
}

function showChosen(one, isChosen) {
  one.classList.toggle('chosen', isChosen)
  if (one.getAttribute('role') === 'button') one.setAttribute('aria-pressed', String(isChosen))
}
