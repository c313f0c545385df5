/** One value of an answer, and where it stands. Key and section are in lower case, without dots at the end. */
export interface Entry {
  /** Counts the paragraphs of the answer. */
  readonly object: number
  /** The heading above, empty when there is none. */
  readonly section: string
  /** Empty for a line that is all value, below its heading. */
  readonly key: string
  readonly value: string
}

const MOST_LINES = 5_000
const LONGEST_LINE = 2_000
/** What is behind these is terms of use. */
const END = /^(?:>>>|--$)/
const COMMENT = /^(?:[%#;]|\[ .*\]$)/
const BRACKETED = /^(?:[a-z]\. )?\[([^\]]{1,60})\]\s*(.*)$/
/** A colon within an address of a page or of IPv6 is followed by something. */
const KEYED = /^(?:\*\* ?)?([^:]{1,200}?)[\s.]*:(?:\s+(.*))?$/
const TIGHT = /^([A-Za-z][A-Za-z ]{1,30}):([^/\s].*)$/
const RECORD = /^(record (?:expires|created) on) (.*)$/i
/** Headings whose lines may have keys and are not indented. */
const HEADINGS = /^(?:domain|registrant|registrar|holder|name ?servers|administrative contacts?|technical contacts?|tech|admin contact)$/

interface Line {
  readonly indent: number
  readonly text: string
}

/** Lines of an answer, at most 5,000 of at most 2,000 characters, comments included. */
export function linesOf(text: string): readonly string[] {
  return text.split('\n', MOST_LINES).map((line) =>
    line
      .slice(0, LONGEST_LINE)
      .replace(/[\r\0]/g, '')
      .trimEnd(),
  )
}

/** Whether the answer ended within a line of its record: the last line has no end, and is neither a comment nor of the terms of use. */
export function isCut(all: readonly string[]): boolean {
  const last = all.at(-1)?.trim() ?? ''
  return last !== '' && all.length < MOST_LINES && !COMMENT.test(last) && !all.some((line) => END.test(line.trim()))
}

/**
 * Reads the forms in which WHOIS servers write: `key: value`, `key....: value`, `[Key] value`, and headings above values or above keys of their
 * own, up to the terms of use.
 */
export function entriesOf(all: readonly string[]): readonly Entry[] {
  const end = all.findIndex((line) => END.test(line.trim()))
  const lines = (end === -1 ? all : all.slice(0, end)).map((line): Line => ({ indent: line.search(/\S|$/), text: line.trim() }))
  const entries: Entry[] = []
  let object = 0
  let section = ''
  let filled = false
  let last: { readonly key: string; readonly indent: number } | null = null
  const add = (key: string, value: string): void => {
    filled = true
    entries.push({ object, section, key, value })
  }
  for (const [at, line] of lines.entries()) {
    const { text, indent } = line
    if (text === '') {
      if (filled) section = ''
      filled = false
      last = null
      object++
      continue
    }
    if (COMMENT.test(text)) continue
    const [key, value] = keyed(text)
    const next = lines[at + 1] ?? { indent: 0, text: '' }
    if (isHeading({ line, next, below: lines.slice(at + 1).find((each) => each.text !== ''), key, value })) {
      section = (key ?? text).toLowerCase()
      filled = false
      last = null
    } else if (key !== null) {
      add(key.toLowerCase(), value)
      last = { key: key.toLowerCase(), indent }
    } else if (last !== null && indent > last.indent) add(last.key, text)
    else if (section !== '') add('', text)
  }
  return entries
}

function keyed(text: string): [string, string] | [null, ''] {
  const [, key, value] = BRACKETED.exec(text) ?? KEYED.exec(text) ?? TIGHT.exec(text) ?? RECORD.exec(text) ?? []
  return key === undefined ? [null, ''] : [key.trim().replace(/\s+/g, ' '), (value ?? '').trim()]
}

interface Place {
  readonly line: Line
  readonly next: Line
  readonly below: Line | undefined
  readonly key: string | null
  readonly value: string
}

function isHeading({ line, next, below, key, value }: Place): boolean {
  if (value !== '') return false
  if (BRACKETED.test(line.text)) return next.text !== '' && !BRACKETED.test(next.text) && next.indent <= line.indent
  const deeper = next.text !== '' && next.indent > line.indent
  // Without a colon only what stands above indented lines or above a list of keys is a heading.
  if (key === null) return line.text.length <= 40 && (deeper || (HEADINGS.test(line.text.toLowerCase()) && below !== undefined))
  return deeper || next.text === '' || keyed(next.text)[0] === null || HEADINGS.test(key.toLowerCase())
}
