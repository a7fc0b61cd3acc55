import init, { findAll } from 'urlgrep/web'

init(new URL('http://h.org/urlgrep.wasm')).then(() => findAll(''), console.error)
