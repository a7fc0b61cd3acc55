// The worker that searches, from the page's view: it handles one request at a time.

const engine = { module: null, worker: null, last: 0, running: null }

// The data inside the page, compressed and in base64, as a response.
function packed(id) {
  const bytes = new Blob([decode(at(id).textContent)])
  return new Response(bytes.stream().pipeThrough(new DecompressionStream('gzip')))
}

function compiledEngine() {
  engine.module ??= packed('engine').arrayBuffer().then((wasm) => WebAssembly.compile(wasm))
  return engine.module
}

function startWorker(module) {
  const url = URL.createObjectURL(new Blob([at('worker').textContent], { type: 'text/javascript' }))
  const worker = new Worker(url)
  URL.revokeObjectURL(url)
  worker.postMessage({ module })
  worker.onmessage = ({ data }) => receive(data)
  worker.onerror = (event) => receive({ id: engine.running?.id, fatal: event.message })
  return worker
}

function receive({ id, done, fatal, ...said }) {
  const { running } = engine
  if (running === null || running.id !== id) return
  if (!done && !fatal) return running.tell(said)
  engine.running = null
  // Ignore the messages of an engine that failed.
  if (fatal) endWorker()
  running.end({ fatal })
}

function endWorker() {
  engine.worker?.terminate()
  engine.worker = null
}

// Ends the running request, and frees the memory of its worker.
function stop() {
  const { running } = engine
  engine.running = null
  if (running === null) return
  endWorker()
  running.end({ stopped: true })
}

// Ends the running request and starts another one. `tell` receives the worker's messages. Resolves when the request ends.
async function ask(request, tell) {
  stop()
  const id = ++engine.last
  const ended = new Promise((end) => { engine.running = { id, tell, end } })
  const module = await compiledEngine()
  if (engine.running?.id === id) {
    engine.worker ??= startWorker(module)
    engine.worker.postMessage({ id, ...request })
  }
  return ended
}
