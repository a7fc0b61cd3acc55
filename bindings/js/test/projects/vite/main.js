const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
worker.onmessage = ({ data: [match] }) => fetch('/said', { method: 'POST', body: match.url })
