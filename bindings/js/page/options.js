// The options of the search: their switches, their place in the page's URL, and the change that each would make.

const SWITCHES = [
  ['hosts', 'Hosts without a scheme: www.example.org'],
  ['emails', 'Email addresses'],
  ['refang', 'Defanged URLs: hxxp://h[.]org'],
  ['delimitedRows', 'Commas separate cells, as in CSV'],
]
const CHOICES = [
  ['join', 'Join lines', [['delimited', 'between delimiters'], ['none', 'never'], ['likely', 'also where it is likely']]],
  ['hyphen', 'Hyphen at a line end', [['keep', 'keep it'], ['drop', 'drop it'], ['both', 'both readings']]],
  ['iri', 'Non-ASCII letters', [['words', 'where words have spaces'], ['all', 'all (UTS #58)'], ['ascii', 'none']]],
  ['grade', 'Grade at least', [['lenient', 'any'], ['rfc3986', 'RFC 3986'], ['rfc1738', 'RFC 1738']]],
]

// The switches and choices that differ from the defaults.
const changedWith = (changes) => Object.fromEntries(Object.entries({ ...state.options, ...changes }).filter(([, value]) => value))

// The settings as options of the finder, in which two of the switches form one option.
function optionsWith(changes) {
  const { hosts, emails, ...rest } = changedWith(changes)
  return { ...rest, schemeless: [...(hosts ? ['hosts'] : []), ...(emails ? ['emails'] : [])] }
}

function optionElements() {
  const switches = SWITCHES.map(([name, title]) => {
    const input = element('input', { type: 'checkbox', checked: Boolean(state.options[name]) })
    input.addEventListener('change', () => setOption(name, input.checked))
    return labelled(name, input, title)
  })
  const choices = CHOICES.map(([name, title, values]) => {
    const select = element('select', {}, ...values.map(([value, text]) => element('option', { value }, text)))
    select.value = state.options[name] ?? values[0][0]
    select.addEventListener('change', () => setOption(name, select.value === values[0][0] ? undefined : select.value))
    return labelled(name, title, select)
  })
  const plain = element('input', { type: 'checkbox', checked: state.plain })
  plain.addEventListener('change', () => {
    state.plain = plain.checked
    keepOptions()
    changed()
  })
  return [...switches, labelled('plain', plain, 'Read mail, HTML and archives as plain text'), ...choices]
}

function labelled(name, ...parts) {
  const output = element('output')
  output.dataset.option = name
  return element('label', {}, ...parts.map((part) => (typeof part === 'string' ? element('span', {}, part) : part)), output)
}

function setOption(name, value) {
  state.options = changedWith({ [name]: value })
  keepOptions()
  return changed()
}

// Searches again; immediately if that takes little time.
function changed() {
  drawChanged()
  if (total() <= QUICK) return update()
  at('again').hidden = false
}

function drawChanged() {
  const count = Object.keys(state.options).length + Number(state.plain)
  at('options-changed').textContent = count === 0 ? '' : `(${count} changed)`
}

// The page's URL contains the options, but not the text.
function keepOptions() {
  const hash = new URLSearchParams(state.options)
  if (state.plain) hash.set('plain', 'true')
  if (state.once) hash.set('once', 'true')
  if (state.hidden.size > 0) hash.set('hide', [...state.hidden].join(','))
  try {
    history.replaceState(null, '', `#${hash}`)
  } catch {
    // Some browsers do not support history on pages opened as file:.
  }
}

function readOptions() {
  const kept = new URLSearchParams(location.hash.slice(1))
  for (const [name] of SWITCHES) if (kept.get(name) === 'true') state.options[name] = true
  for (const [name, , values] of CHOICES) if (values.some(([value]) => value === kept.get(name))) state.options[name] = kept.get(name)
  state.plain = kept.get('plain') === 'true'
  state.once = kept.get('once') === 'true'
  for (const role of (kept.get('hide') ?? '').split(',')) if (Object.hasOwn(ROLES, role)) state.hidden.add(role)
}

// The page shows how many matches a switch adds or removes only up to these lengths, because that takes a search for
// each switch.
const SHORT = { bytes: 200000, matches: 20000 }

function forgetDifferences() {
  for (const output of document.querySelectorAll('output[data-option]')) output.textContent = ''
}

async function drawDifferences() {
  const length = state.files.length > 0 ? total() : state.text.length
  if (length === 0 || length > SHORT.bytes || found() > SHORT.matches) return
  const sets = [optionsWith({}), ...SWITCHES.map(([name]) => optionsWith({ [name]: !state.options[name] }))]
  await ask(request('keys', { sets }), ({ keys }) => {
    if (!keys) return
    const [now, ...others] = keys.map((all) => new Set(all))
    SWITCHES.forEach(([name], i) => {
      const output = document.querySelector(`output[data-option="${name}"]`)
      output.textContent = difference(...(state.options[name] ? [others[i], now] : [now, others[i]]))
    })
  })
}

// The effect of a switch, from the matches without it and with it.
function difference(off, on) {
  const added = [...on].filter((key) => !off.has(key)).length
  const removed = [...off].filter((key) => !on.has(key)).length
  return [added && `+${added}`, removed && `−${removed}`].filter(Boolean).join(' ') || '±0'
}
