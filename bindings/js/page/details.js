// Explains why a match is a URL, and shows where it is.

const FORMS = {
  wrapper: 'in a wrapper <URL:…>, as the Appendix of RFC 1738 recommends',
  angle: 'in angle brackets',
  quote: 'in quotation marks',
  paren: 'in brackets that it fills',
  prefixed: 'after URL:, without delimiters',
  bare: 'in the text, without delimiters',
  href: 'in an attribute of HTML',
  defanged: 'written so that no program opens it',
}
const GRADES = {
  rfc1738: 'RFC 1738: well formed by its grammar',
  draft1994: 'well formed by the draft of 1994',
  rfc3986: 'RFC 3986: well formed by the later grammar, not by RFC 1738',
  lenient: 'lenient: plausible, but well formed by neither grammar',
}
// In the order in which the engine numbers them.
const ROLES = {
  text: 'read in a text',
  link: 'a link that can be followed',
  image: 'a picture',
  tracker: 'a picture that nobody sees, of one pixel or hidden',
  form_action: 'where a form is sent',
  resource: 'what a page loads or names: scripts, styles, frames',
  header: 'in a header field',
}

// The text of a value: bytes that are not UTF-8 are shown in base64.
const textOf = (value) => (typeof value === 'object' && value !== null ? new TextDecoder().decode(decode(value.bytes)) : value)

// The program's explanation, without the names of its options.
const withoutOptions = (words) => words.replace(/ \((see )?--[^)]*\)/, '')

const sentence = (words) => `It ${withoutOptions(words)}.`

const items = (kind, all) => element(kind, {}, ...all.map((item) => element('li', {}, item)))

// A list of terms: `row` adds one, unless its value is missing.
function terms() {
  const list = element('dl')
  const row = (name, ...values) => {
    if (values.every((value) => value === null || value === undefined || value === '')) return
    list.append(element('dt', {}, name), element('dd', {}, ...values.flatMap((value) => (typeof value === 'string' ? visible(value) : [value]))))
  }
  return { list, row }
}

// The details of a match: `line` is the program's output, `more` contains the fields that only the page requests, and `raw` the pieces
// as the text writes them, if the page has the text.
function detailsOf({ line, more }, raw) {
  const { list, row } = terms()
  const url = textOf(line.url)
  for (const words of more.warnings) row('Warning', element('span', { className: 'warning' }, sentence(words)))
  row('Form', `${line.form}: ${FORMS[line.form] ?? ''}`)
  row('Why there', items('ul', more.sentences.slice(0, -1).map((words) => element('span', {}, ...visible(sentence(words))))))
  if (textOf(more.href) !== url) row('Whole URL', code(textOf(more.href)))
  drawRole(line, row)
  drawPieces(line, more, raw, row)
  row('Grade', GRADES[line.grade])
  const { reason } = line
  if (reason) row('Why not better', element('span', {}, 'production ', code(reason.production), ': ', ...visible(reason.message)))
  if (line.alternatives.length > 0) row('Other readings, likeliest first', items('ol', line.alternatives.map((reading) => code(textOf(reading)))))
  if (line.ascii) row('URL in ASCII', code(line.ascii))
  row('Place', `${line.path === '-' ? '' : `${textOf(line.path)}, `}line ${line.line}, column ${line.column}; bytes ${line.start} to ${line.end}`)
  if (line.message) drawMessage(line.message, row)
  return [element('p', { className: 'url' }, ...visible(url)), list]
}

function drawRole({ role, element: name, text }, row) {
  if (role !== 'text') row('Role', `${role}: ${ROLES[role] ?? ''}`, name ? element('span', {}, ', ', code(name)) : '')
  if (text) row('Text of the link', element('q', {}, ...visible(text)))
}

function drawPieces(line, more, raw, row) {
  const decoded = more.around.filter((_, i) => i % 2 === 1)
  const pieces = raw ?? decoded
  const url = textOf(line.url)
  if (pieces.length > 1) row(`${pieces.length} pieces`, items('ol', pieces.map((piece, i) => element('span', {}, code(piece), raw ? ` at byte ${line.pieces[i][0]}` : ''))))
  if (pieces.join('') !== url) row('Decoded', raw ? 'the text has ' : 'the decoded text has ', code(pieces.join('')))
  if (raw === undefined) row('In the text', excerpt(more.around))
}

// The text around a match, with its pieces marked.
function excerpt(around) {
  const parts = around.map((text, i) => (i % 2 === 1 ? element('mark', { className: 'piece' }, ...visible(text)) : element('span', {}, ...visible(text))))
  return element('span', { className: 'excerpt', dir: 'ltr' }, ...parts)
}

function drawMessage(message, row) {
  row('Subject', message.subject)
  row('From', message.from)
  row('To', message.to)
  row('Newsgroups', message.newsgroups)
  row('Date', message.date)
  row('Page', message.uri)
  const where = [
    `message ${message.index + 1} of its file`, message.part && `part ${message.part}`, message.content_type, message.filename,
    message.header && `header field ${message.header}`, message.quote_depth > 0 && `quoted ${message.quote_depth} deep`,
  ]
  row('In the message', where.filter(Boolean).join(', '))
}
