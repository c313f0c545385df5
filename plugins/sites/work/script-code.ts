const AFTER_VALUE = /[\w$)\]]/
/** Starts or ends an element that loads something, also in the encoding of `escape`. */
const WRITTEN = /^.(?:<|%3c)(?:script|link|img|iframe)\b|(?:<\\?\/|%3c\/)script(?:>|%3e)/i
const LONGEST_TAG = 300

/** The technical parts of a script; in both, member names in brackets (`window['name']`) are kept. */
export interface ScriptParts {
  /** Without the contents of strings, and without comments, which mention products like any text. */
  readonly code: string
  /** Without comments and strings of several words: addresses, names and call arguments are kept. */
  readonly tokens: string
}

/** Parses a script, in linear time. Never throws: in anything but a script, a string ends with its line. */
export function scriptParts(script: string): ScriptParts {
  const code: string[] = []
  const tokens: string[] = []
  let from = 0
  for (let at = 0; at < script.length;) {
    const end = endOfSkipped(script, at)
    if (end === null) {
      at++
      continue
    }
    const member = isMemberName(script, at, end)
    code.push(script.slice(from, member ? end : at), ' ')
    if (member || isToken(script, at, end)) tokens.push(script.slice(from, end))
    else tokens.push(script.slice(from, at), ' ')
    from = at = end
  }
  code.push(script.slice(from))
  tokens.push(script.slice(from))
  return { code: code.join(''), tokens: tokens.join('') }
}

/** A string without blanks, or part of an element that the script writes into the page. */
function isToken(script: string, at: number, end: number): boolean {
  if (script[at] === '/') return false
  const text = script.slice(at, end)
  if (!/\s/.test(text)) return true
  return WRITTEN.test(text.slice(0, LONGEST_TAG)) && /\bwrite(?:ln)?\(/.test(script.slice(Math.max(0, at - LONGEST_TAG), at))
}

/** End of the string or comment that starts at a position; null when there is none. */
function endOfSkipped(script: string, at: number): number | null {
  const first = script[at] ?? ''
  // After a colon it is an address, in a string whose start was not recognised.
  if (first === '/' && script[at + 1] === '/' && script[at - 1] !== ':') return endOr(script.indexOf('\n', at), script)
  if (first === '/' && script[at + 1] === '*') return endOr(script.indexOf('*/', at + 2), script, 2)
  return '"\'`'.includes(first) ? endOfString(script, at, first) : null
}

const endOr = (found: number, { length }: string, more = 0): number => (found === -1 ? length : found + more)

function endOfString(script: string, start: number, quote: string): number {
  for (let at = start + 1; at < script.length; at++) {
    const letter = script[at]
    if (letter === '\\') at++
    else if (letter === quote) return at + 1
    else if (letter === '\n' && quote !== '`') return at
  }
  return script.length
}

function isMemberName(script: string, at: number, end: number): boolean {
  return script[at - 1] === '[' && script[end] === ']' && AFTER_VALUE.test(script[at - 2] ?? '')
}
