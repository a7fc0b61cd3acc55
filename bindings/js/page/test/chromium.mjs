// Chromium without a window, driven through a pipe: no package is needed for it.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class Browser {
  #process
  #folder = mkdtempSync(join(tmpdir(), 'urlgrep-page-'))
  #waiting = new Map()
  #listeners = []
  #last = 0
  #read = ''
  #session

  static async start() {
    const browser = new Browser()
    await browser.#open()
    return browser
  }

  async #open() {
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${this.#folder}`]
    this.#process = spawn('chromium', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
    this.#process.stdio[4].setEncoding('utf8').on('data', (data) => this.#receive(data))
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' })
    this.#session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await this.send(`${domain}.enable`)
  }

  #receive(data) {
    const messages = (this.#read + data).split('\0')
    this.#read = messages.pop()
    for (const message of messages.map((message) => JSON.parse(message))) {
      if (message.id === undefined) for (const listener of this.#listeners) listener(message)
      else this.#waiting.get(message.id)(message)
    }
  }

  async send(method, params = {}) {
    const id = ++this.#last
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve))
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`)
    const { result, error } = await answer
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  on(listener) {
    this.#listeners.push(listener)
  }

  async open(url) {
    const loaded = new Promise((resolve) => this.on(({ method }) => method === 'Page.loadEventFired' && resolve()))
    await this.send('Page.navigate', { url })
    await loaded
  }

  /// What `script` evaluates to in the page.
  async run(script) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression: script, awaitPromise: true, returnByValue: true })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  async close() {
    await this.send('Browser.close').catch(() => {})
    this.#process.kill()
    await new Promise((resolve) => (this.#process.exitCode === null ? this.#process.on('exit', resolve) : resolve()))
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20 })
  }
}
