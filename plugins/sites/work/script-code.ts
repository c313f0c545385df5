const AFTER_VALUE = /[\w$)\]]/

/**
 * A script without the contents of its strings and without its comments, which talk about products as any text does; names of members in brackets
 * (`window['name']`) stay. Takes time in proportion to the script and never throws: in what is no script, a string ends with its line.
 */
export function codeOf(script: string): string {
  const kept: string[] = []
  let from = 0
  for (let at = 0; at < script.length;) {
    const end = endOfSkipped(script, at)
    if (end === null) {
      at++
      continue
    }
    kept.push(script.slice(from, isMemberName(script, at, end) ? end : at), ' ')
    from = at = end
  }
  kept.push(script.slice(from))
  return kept.join('')
}

/** Where the string or comment that begins at a place ends; null where none begins. */
function endOfSkipped(script: string, at: number): number | null {
  const first = script[at] ?? ''
  if (first === '/' && script[at + 1] === '/') return endOr(script.indexOf('\n', at), script)
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
