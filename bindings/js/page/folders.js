// Converts chosen or dropped items to inputs: files, and files in folders with their paths.

// A file that was chosen by itself, or with its folder, in which case it has a path.
const inputOf = (file) => ({ name: file.webkitRelativePath || file.name, file, isNamed: !file.webkitRelativePath })

const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

// The inputs among dropped items. `fail` receives each item that cannot be read, and `count` the number of files so far.
async function inputsOf(transfer, fail, count) {
  // Read the items now, because the browser drops them when the event ends.
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

// The message of an error. On a page opened as file:, Chromium's own message is misleading.
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
  // Each call returns some of the entries; an empty list is the end.
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return entries
    entries.push(...some)
  }
}
