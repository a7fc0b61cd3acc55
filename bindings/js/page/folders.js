// What is chosen or dropped, as inputs: files, and those in folders by their paths.

// A file that was chosen by itself or, by its path, with its folder.
const inputOf = (file) => ({ name: file.webkitRelativePath || file.name, file, isNamed: !file.webkitRelativePath })

const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

// The inputs of what is dropped. `fail` is told what cannot be read, `count` how many files there are so far.
async function inputsOf(transfer, fail, count) {
  // They are there only until the event ends.
  const dropped = [...transfer.items].filter(({ kind }) => kind === 'file').map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const inputs = []
  for (const { entry, file } of dropped) {
    if (!entry?.isDirectory) inputs.push(inputOf(file))
    else {
      const below = []
      for await (const input of filesIn(entry, fail)) {
        below.push(input)
        count(inputs.length + below.length)
      }
      inputs.push(...below.sort(byName))
    }
  }
  return inputs
}

// What an error says. That of a page of file: in Chromium says something else.
const reasonOf = ({ name, message }) => (name === 'EncodingError' ? 'this browser lets no page of file: read a folder that is dropped; the button that opens a folder can' : message)

// The files below a folder.
async function* filesIn(folder, fail) {
  const failed = ({ fullPath }) => (error) => fail(`${fullPath.slice(1)}: ${reasonOf(error)}`)
  const entries = await entriesOf(folder).catch(failed(folder))
  for (const entry of entries ?? []) {
    if (entry.isDirectory) yield* filesIn(entry, fail)
    else {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject)).catch(failed(entry))
      if (file) yield { name: entry.fullPath.slice(1), file, isNamed: false }
    }
  }
}

async function entriesOf(folder) {
  const reader = folder.createReader()
  const entries = []
  // Each call returns some of them, the last one none.
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return entries
    entries.push(...some)
  }
}
