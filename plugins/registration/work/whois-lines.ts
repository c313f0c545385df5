import { dateOf } from './dates.js'
import { isStatusWord } from './status.js'
import { isAboutDomain, isForeign, isOfAddress, isPart, isServers, KEY_WORDS, kindOf } from './whois-words.js'
import { hostOf, hostsOf } from './words.js'

/** One value of an answer, and its position. Key and section are in lower case, without trailing dots. */
export interface Entry {
  /** Index of the paragraph. */
  readonly object: number
  /** The heading above, empty when there is none. */
  readonly section: string
  /** Empty for a line without a key, below its heading. */
  readonly key: string
  readonly value: string
}

const MOST_LINES = 5_000
const LONGEST_LINE = 2_000
/** Starts of the terms of use. */
const END = /^(?:>>>|--$)/
const COMMENT = /^(?:[%#;]|\[ .*\]$)/
const BRACKETED = /^(?:[a-z]\.? )?\[([^\]]{1,60})\]\s*(.*)$/
/** A colon within an address of a page or IPv6 is followed by another character. */
const KEYED = /^(?:\*\* ?)?([^:]{1,200}?)[\s.]*:(?:\s+(.*))?$/
const TIGHT = /^(\p{L}[\p{L} ()-]{1,40})\.*:([^/\s].*)$/u
/** Keys that end in `#`, as in JWhoisServer's output. */
const SIGNED = /^(\p{L}[\p{L} ()'-]{1,60})#[\s.]*(.*)$/u

/** Keys that are headings even above unindented lines with keys. */
const HEADINGS = /^(?:domain|registrant|registrar|holder|name ?servers|administrative contacts?|technical contacts?|tech|admin contact)$/
/** Maximum words of a heading or a key without a colon. */
const MOST_WORDS = 8
/** Words beside the name in a heading of the domain's record. */
const TITLE_WORDS = new Set('the whois information informations info details data record about for of on related to domain name'.split(' '))

interface Line {
  readonly indent: number
  readonly text: string
}

/** Lines of an answer, at most 5,000 of at most 2,000 characters, including comments. */
export function linesOf(text: string): readonly string[] {
  return text.split('\n', MOST_LINES).map((line) =>
    line
      .slice(0, LONGEST_LINE)
      .replace(/[\r\0]/g, '')
      .trimEnd(),
  )
}

/** Whether the answer was truncated within its record: the last line has no end, and is neither a comment nor part of the terms of use. */
export function isCut(all: readonly string[]): boolean {
  const last = all.at(-1)?.trim() ?? ''
  return last !== '' && all.length < MOST_LINES && !COMMENT.test(last) && !all.some((line) => END.test(line.trim()))
}

/**
 * Parses the notations of WHOIS servers: `key: value`, `key....: value`, `[Key] value`, `key   value`, and headings
 * above values or keys, up to the terms of use. A line that starts with the requested name has it as its key.
 */
export function entriesOf(all: readonly string[], domain: string): readonly Entry[] {
  const end = all.findIndex((line) => END.test(line.trim()))
  const lines = (end === -1 ? all : all.slice(0, end)).map((line): Line => ({ indent: line.search(/\S|$/), text: line.trim() }))
  const entries: Entry[] = []
  let object = 0
  let section = ''
  /** Indent of the heading, when the lines below it are indented further. */
  let above: number | null = null
  let filled = false
  /**
   * The last key; `open` when lines with the same indent belong to it, such as below `Address:` in a person's
   * section.
   */
  let last: { readonly key: string; readonly indent: number; readonly open: boolean } | null = null
  const add = (key: string, value: string): void => {
    filled = true
    entries.push({ object, section, key, value })
  }
  for (const [at, line] of lines.entries()) {
    const { text, indent } = line
    if (text === '') {
      if (filled) section = ''
      if (filled) above = null
      filled = false
      last = null
      object++
      continue
    }
    if (COMMENT.test(text)) continue
    const served = section === '' ? serversBehind(text, domain) : null
    if (served !== null) {
      add('domain name', domain)
      add('name server', served)
      continue
    }
    const [key, value] = keyed(text, domain)
    if (above !== null && indent <= above) {
      section = ''
      above = null
    }
    // Lines naming the domain, and its servers, end a preceding person's lines.
    if (key !== null && isForeign(section) && isOfDomain(key.toLowerCase(), value, section)) {
      section = ''
      object++
    }
    if (key !== null && value !== '' && /^contact[ -]type$/i.test(key)) {
      section = `${value.toLowerCase()} contact`
      above = last = null
      filled = true
      continue
    }
    const address = key !== null && isOfAddress(key.toLowerCase()) && isForeign(section)
    const next = lines[at + 1] ?? { indent: 0, text: '' }
    const place = { line, next, last: lines.slice(at + 1).every((each) => each.text === ''), first: section !== '' && !filled, key, value }
    if (!address && isHeading(place)) {
      section = (key ?? text).toLowerCase()
      above = next.text !== '' && next.indent > indent ? indent : null
      filled = false
      last = null
    } else if (key !== null) {
      add(key.toLowerCase(), value)
      last = { key: key.toLowerCase(), indent, open: address && value === '' }
    } else if (last !== null && (indent > last.indent || last.open)) add(last.key, text)
    else if (section !== '') add('', text)
  }
  return entries
}

function isOfDomain(key: string, value: string, section: string): boolean {
  return (
    isAboutDomain(key) || (/^(?:name ?servers?|nservers?|serveurs? de noms?)\b/.test(key) && hostOf(value) !== null && !isServers(section))
  )
}

function keyed(text: string, domain: string): [string, string] | [null, ''] {
  if (isTitle(text, domain)) return ['domain name', domain]
  const [, key, value] = BRACKETED.exec(text) ?? KEYED.exec(text) ?? TIGHT.exec(text) ?? SIGNED.exec(text) ?? []
  if (key !== undefined) return [key.trim().replace(/\s+/g, ' '), (value ?? '').trim().replace(/^\.{2,}\s*/, '')]
  return columns(text) ?? named(text, domain) ?? [null, '']
}

/** A domain's key without a colon: known key words, then blanks, dots or a tab, then a matching value. */
function columns(text: string): [string, string] | null {
  const words = [...text.matchAll(/(\S+?)(\s+|\.{3,}\s*|$)/g)].slice(0, MOST_WORDS + 1)
  let end = 0
  while (KEY_WORDS.has((words[end]?.[1] ?? '').toLowerCase())) end++
  if (end > 0 && /^\d$/.test(words[end]?.[1] ?? '') && kindOf((words[end - 1]?.[1] ?? '').toLowerCase()) === 'server') end++
  const last = words[end - 1]
  if (last === undefined || end >= words.length || end > MOST_WORDS) return null
  const key = words
    .slice(0, end)
    .map(([, word = '']) => word)
    .join(' ')
  const value = text.slice(last.index + last[0].length).replace(/^[=|]\s*/, '')
  const apart = /\s{2}|\t|\.{3}/.test(last[2] ?? '') || /^[=|]/.test(text.slice(last.index + last[0].length))
  const kind = kindOf(key.toLowerCase())
  if (kind === 'created' || kind === 'expires') return dateOf(value) !== null ? [key, value] : null
  if (!apart || kind === null) return null
  if (kind === 'updated') return dateOf(value) !== null ? [key, value] : null
  return (kind === 'name' || kind === 'server') && hostsOf([value]).length === 0 ? null : [key, value]
}

/** A heading with only the domain's name, as in `Information about 'example.com':`. */
function isTitle(text: string, domain: string): boolean {
  const colon = text.endsWith(':')
  const words = (colon ? text.slice(0, -1) : text).toLowerCase().replace(/["'’]/g, '').trim().split(/\s+/, MOST_WORDS)
  const others = words.filter((word) => word !== domain)
  const heads = colon || /^informations? /i.test(text)
  return heads && others.length > 0 && others.length === words.length - 1 && others.every((word) => TITLE_WORDS.has(word))
}

/** Hosts after the requested name, which may be without its TLD, if nothing else is on the line. */
function serversBehind(text: string, domain: string): string | null {
  const [first = '', ...rest] = text.toLowerCase().split(/\s+/)
  if (rest.length === 0 || (first !== domain && first !== domain.slice(0, domain.lastIndexOf('.')))) return null
  return rest.every((word) => hostOf(word) !== null) ? rest.join(' ') : null
}

/** The name with its status on one line, as in `example.com   active`. */
function named(text: string, domain: string): [string, string] | null {
  const words = text.toLowerCase().split(/\s+/, MOST_WORDS)
  const at = words.findIndex((word) => !['the', 'domain', 'name'].includes(word))
  if ((words[at] ?? '').replace(/\.?$/, '') !== domain) return null
  const state = words
    .slice(at + 1)
    .join(' ')
    .replace(/^(?:[-=]+ )?(?:is |has been )?(?:already )?/, '')
    .replace(/\.$/, '')
  return isStatusWord(state) ? ['domain name', `${domain} ${state}`] : null
}

interface Place {
  readonly line: Line
  readonly next: Line
  /** No line follows. */
  readonly last: boolean
  /** It directly follows a heading. */
  readonly first: boolean
  readonly key: string | null
  readonly value: string
}

function isHeading({ line, next, last, first, key, value }: Place): boolean {
  if (value !== '') return false
  if (BRACKETED.test(line.text)) return next.text !== '' && !BRACKETED.test(next.text) && next.indent <= line.indent
  const deeper = next.text !== '' && next.indent > line.indent
  // Without a colon, only a line above indented ones, or the name of a part of a record, is a heading.
  if (key === null) return line.text.length <= 60 && ((deeper && !first) || (isPart(line.text.toLowerCase()) && !last))
  return deeper || next.text === '' || keyed(next.text, '')[0] === null || HEADINGS.test(key.toLowerCase())
}
