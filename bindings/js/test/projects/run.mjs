// Packs the package, and builds and runs each project here with it, as those who use it do:
//
//     node bindings/js/test/projects/run.mjs [NAME...]
//
// First: node bindings/js/tools/build.mjs. A project is a package.json, whose "expected" its output has, and a source or two. It is installed
// in a temporary folder. A project without the script "start" is a page, which Chromium opens, and which posts its output to /said.
// Prints of each whether it is ok, and how many bytes it has in dist, also after gzip. What cannot be installed here is skipped.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = fileURLToPath(new URL('.', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'urlgrep-projects-'))
// How long a page may take, in milliseconds.
const LONGEST = 30_000
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }

class Skipped extends Error {}

function pack() {
  const options = { cwd: join(here, '../..'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }
  const output = execFileSync('npm', ['pack', '--silent', '--json', '--pack-destination', temporary], options)
  const [{ filename }] = JSON.parse(output)
  return join(temporary, filename)
}

// What a command says, on both outputs.
function said(folder, command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? `${stdout}${stderr}`}`)
  return stdout + stderr
}

function install(folder, tarball) {
  try {
    said(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', tarball)
  } catch (error) {
    throw new Skipped(`npm cannot install it: ${error.message}`)
  }
}

// A server of a folder, with the event "said" when a page posts its output.
function served(folder) {
  const server = createServer((request, response) => {
    if (request.url === '/said') {
      request.setEncoding('utf8').on('data', (output) => server.emit('said', output))
      return response.end()
    }
    const path = join(folder, request.url === '/' ? 'index.html' : request.url)
    if (!existsSync(path)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(readFileSync(path))
  })
  return server
}

// What a page posts.
async function saidByPage(folder) {
  if (spawnSync('chromium', ['--version']).error) throw new Skipped('there is no chromium')
  const server = served(folder).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(temporary, 'chromium')}`]
  const browser = spawn('chromium', [...options, `http://127.0.0.1:${server.address().port}/`],
    { stdio: 'ignore', env: { ...process.env, TMPDIR: temporary } })
  try {
    const [output] = await once(server, 'said', { signal: AbortSignal.timeout(LONGEST) })
    return output
  } finally {
    browser.kill()
    await once(browser, 'exit')
    server.close().closeAllConnections()
  }
}

function sizes(folder) {
  if (!existsSync(folder)) return ''
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map(({ parentPath, path, name }) => readFileSync(join(parentPath ?? path, name)))
  const sum = (lengths) => lengths.reduce((all, length) => all + length, 0)
  return `: ${sum(texts.map((text) => text.length))} bytes, ${sum(texts.map((text) => gzipSync(text, { level: 9 }).length))} after gzip`
}

// What of a project fails, if anything does.
async function run(name, tarball) {
  const folder = join(temporary, name)
  cpSync(join(here, name), folder, { recursive: true })
  const { scripts, expected } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  install(folder, tarball)
  if (scripts.build) said(folder, 'npm', 'run', '--silent', 'build')
  const size = sizes(join(folder, 'dist'))
  const output = scripts.start ? said(folder, 'npm', 'run', '--silent', 'start') : await saidByPage(join(folder, 'dist'))
  if (!output.includes(expected)) throw new Error(`expected ${expected}, found ${output}`)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  return size
}

const projects = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)
const chosen = process.argv.length > 2 ? process.argv.slice(2) : projects
let failed = false
try {
  const tarball = pack()
  for (const name of chosen) {
    const start = performance.now()
    try {
      const size = await run(name, tarball)
      console.log(`${name}: ok in ${((performance.now() - start) / 1000).toFixed(1)} s${size}`)
    } catch (error) {
      failed ||= !(error instanceof Skipped)
      console.log(`${name}: ${error instanceof Skipped ? 'SKIPPED: ' : ''}${error.message}`)
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(failed ? 1 : 0)
