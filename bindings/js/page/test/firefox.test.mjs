// The page in Firefox, from file:, driven through its Marionette: no package is needed for it. node bindings/js/page/build.mjs comes first.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { target } from '../../tools/wasm.mjs'
import { writeArchives } from './archives.mjs'

const PAGE = pathToFileURL(join(target, 'page/index.html')).href
const skip = spawnSync('firefox', ['--version']).error ? 'there is no firefox' : false

const folder = mkdtempSync(join(tmpdir(), 'urlgrep-firefox-'))
let firefox
let socket
let last = 0
let read = Buffer.alloc(0)
const waiting = new Map()

// Messages are JSON after their length and a colon.
function receive(data) {
  read = Buffer.concat([read, data])
  for (let colon = read.indexOf(':'); colon >= 0; colon = read.indexOf(':')) {
    const end = colon + 1 + Number(read.subarray(0, colon))
    if (read.length < end) return
    const message = JSON.parse(read.subarray(colon + 1, end))
    read = read.subarray(end)
    if (Array.isArray(message)) waiting.get(message[1])(message)
  }
}

async function send(name, parameters = {}) {
  const id = ++last
  const answer = new Promise((resolve) => waiting.set(id, resolve))
  const text = JSON.stringify([0, id, name, parameters])
  socket.write(`${Buffer.byteLength(text)}:${text}`)
  const [, , error, result] = await answer
  if (error) throw new Error(`${name}: ${error.message}`)
  return result
}

// What `script` returns in the page.
const run = async (script) => (await send('WebDriver:ExecuteScript', { script: `return ${script}`, args: [], sandbox: null })).value

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

const tryToConnect = (port) => new Promise((resolve) => {
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(socket)).once('error', () => resolve(undefined))
})

before(async () => {
  if (skip) return
  const port = await freePort()
  writeFileSync(join(folder, 'user.js'), `user_pref("marionette.port", ${port});\n`)
  firefox = spawn('firefox', ['--headless', '--marionette', '--no-remote', '--profile', folder], { stdio: 'ignore' })
  while (!(socket = await tryToConnect(port))) await sleep(100)
  socket.on('data', receive)
  await send('WebDriver:NewSession', {})
})

after(async () => {
  if (firefox) {
    const ended = new Promise((resolve) => firefox.once('exit', resolve))
    await send('Marionette:Quit', { flags: ['eForceQuit'] })
    await ended
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

async function settled() {
  // They can be clicked when the search has ended, and there is a match.
  while (await run(`document.getElementById('json').disabled`)) await sleep(20)
}

test('a text, and files that are read in the worker', { skip }, async () => {
  await send('WebDriver:Navigate', { url: PAGE })
  await settled()
  assert.equal(await run(`document.getElementById('status').textContent`), '3 URLs, 3 put together from several lines')
  const names = writeArchives(join(folder, 'archives'))
  const { value } = await send('WebDriver:FindElement', { using: 'css selector', value: '#file' })
  const [element] = Object.values(value)
  const wanted = names.filter((name) => !name.startsWith('long'))
  await send('WebDriver:ElementSendKeys', { id: element, text: wanted.map((name) => join(folder, 'archives', name)).join('\n') })
  while (await run(`document.getElementById('opened').hidden || !document.querySelector('td .path')`)) await sleep(20)
  await settled()
  while (!(await run(`document.getElementById('more').hidden`))) await run(`document.getElementById('more').click()`)
  const paths = await run(`[...new Set([...document.querySelectorAll('td .path')].map((cell) => cell.textContent.split('!')[0]))]`)
  assert.deepEqual(paths, wanted)
  assert.match(await run(`document.getElementById('failures').textContent`), /^damaged\.gz: .*truncated gzip data/)
  assert.equal(await run(`document.querySelectorAll('main img, main script').length`), 0)
})
