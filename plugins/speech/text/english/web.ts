import { cardinal, spelled } from './numbers.js'
import { one, type Rule } from './token.js'

const SIGNS: Readonly<Record<string, string>> = {
  '.': 'dot',
  '/': 'slash',
  '@': 'at',
  '-': 'dash',
  _: 'underscore',
  '?': 'question mark',
  '=': 'equals',
  '&': 'and',
  '#': 'hash',
  '%': 'percent',
  ':': 'colon',
  '+': 'plus',
  '~': 'tilde',
  ',': 'comma',
  ';': 'semicolon',
  '!': 'exclamation mark',
  '*': 'star',
  $: 'dollar',
}
/** Domain suffixes that make a word without a scheme an address. Files such as `notes.txt` are not addresses. */
const ENDINGS = new Set([
  ...['com', 'org', 'net', 'edu', 'gov', 'io', 'dev', 'app', 'ai', 'co', 'info', 'biz', 'me', 'tv', 'eu', 'example', 'test'],
  ...['uk', 'de', 'fr', 'es', 'it', 'nl', 'ch', 'at', 'ca', 'au', 'nz', 'ie', 'jp', 'se', 'no', 'dk', 'fi', 'pl', 'us'],
])
/** Suffixes that are spelled letter by letter. */
const LETTERS = new Set([
  ...['io', 'ai', 'tv', 'eu', 'uk', 'de', 'fr', 'es', 'nl', 'ch', 'ca', 'au', 'nz', 'ie', 'jp', 'se', 'dk', 'fi', 'pl', 'us'],
  'www',
])

/** Web and email addresses: `https://example.com/a` is `example dot com slash a`. */
export const webRule: Rule = (tokens, at) => {
  const core = tokens[at]?.core ?? ''
  if (/^mailto:/i.test(core)) return one(words(core.slice(7)))
  if (/^(?:https?|ftp):\/\/\S/i.test(core)) return one(words(core.slice(core.indexOf('://') + 3)))
  if (isMail(core) || isHost(core)) return one(words(core))
  return null
}

function isMail(core: string): boolean {
  const at = core.indexOf('@')
  return at > 0 && core.indexOf('.', at) > at + 1 && core.indexOf('@', at + 1) === -1
}

function isHost(core: string): boolean {
  const [host = ''] = core.split(/[/?#]/, 1)
  const labels = host.split('.')
  if (labels.length < 2 || labels.some((label) => !/^[a-z\d-]{1,63}$/i.test(label))) return false
  return labels[0]?.toLowerCase() === 'www' || (/[a-z]/i.test(labels[0] ?? '') && ENDINGS.has(labels.at(-1)?.toLowerCase() ?? ''))
}

function words(address: string): string {
  const whole = address.endsWith('/') ? address.slice(0, -1) : address
  return (whole.match(/[a-z]+|\d+|[^a-z\d\s]/gi) ?? []).map(piece).join(' ')
}

function piece(text: string): string {
  if (/^\d/.test(text)) return text.length > 2 || text.startsWith('0') ? spelled(text) : cardinal(text)
  if (LETTERS.has(text.toLowerCase())) return [...text.toLowerCase()].join(' ')
  return SIGNS[text] ?? text
}
