import { type Match, findAll } from 'urlgrep'

export const matches: Match[] = findAll('')
