import { type Details, Finder, type Linkify, type Match, type MatchRecord, details, findAll, linkify, record } from 'urlgrep'

const finder = new Finder({ schemeless: 'hosts', schemes: ['http'] })
const matches: Match[] = finder.findAll('at <URL:http://h.org/long-\n  path>.')
finder.free()
for (const match of matches) {
  const { host, reason }: Details = details(match)
  const { grade, pieces }: MatchRecord = record(match)
  const [start, end]: [number, number] = pieces[0]!
  console.log(match.url, host, grade, reason?.message, end - start)
}
const linkifier: Linkify = linkify({ fuzzyLink: true }).add('git:', 'http:').tlds('onion', true)
export const index: number | undefined = linkifier.match('http://h.org/')?.[0]?.index
// @ts-expect-error: an option has a type.
export const wrongOption = () => findAll('', { schemeless: 'host' })
// @ts-expect-error: a linkifier has its own type where markdown-it is not installed, too.
export const wrongMember = () => linkifier.nothing
