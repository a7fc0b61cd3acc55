// The hosts of the URLs in the list, with their counts. A click on a host limits the list to its URLs.

// The number of hosts drawn at first, and with each click on "More".
const HOSTS = { first: 12, more: 100 }

// The number of items of each host, the most frequent first.
function hostsOf(numbers) {
  const counts = new Map()
  for (const i of numbers) {
    const { host } = state.items[i]
    counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

// Draws the hosts, unless there is only one. The chosen host is always drawn.
function drawHosts(hosts, most = HOSTS.first) {
  at('hosts').hidden = hosts.length < 2 && state.host === undefined
  at('hosts-count').textContent = `(${number(hosts.length)})`
  const shown = hosts.filter(([host], i) => i < most || host === state.host)
  at('hosts-list').replaceChildren(...shown.map(([host, count]) => element('li', {}, hostButton(host, count))))
  at('more-hosts').hidden = hosts.length <= most
  at('more-hosts').onclick = () => drawHosts(hosts, most + HOSTS.more)
}

function hostButton(host, count) {
  const isChosen = host === state.host
  const name = host === '' ? [element('i', {}, 'no host')] : visible(clipped(host, LONGEST_CELL))
  const button = element('button', { type: 'button' }, element('span', {}, ...name), ' ', element('span', { className: 'count' }, number(count)))
  button.setAttribute('aria-pressed', String(isChosen))
  button.addEventListener('click', () => {
    state.host = isChosen ? undefined : host
    drawRows()
    at('hosts-list').querySelector(`[data-host="${CSS.escape(host)}"]`)?.focus()
  })
  button.dataset.host = host
  return button
}
