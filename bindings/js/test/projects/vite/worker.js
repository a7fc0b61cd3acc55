import init, { findAll } from 'urlgrep/web'

init().then(() => postMessage(findAll('at <URL:http://h.org/long-\n  path>.')))
