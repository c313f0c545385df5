/** `%{s}` and its relatives, `%%`, `%_`, `%-` (RFC 7208 7.1); c, r and t are only for explanations. */
const EXPAND = /^%(?:\{([slodiphv])(\d{0,3})(r?)([.\-+,/_=]*)\}|[%_-])/i
const LITERAL = /^[\x21-\x24\x26-\x7e]+/
const TOP_LABEL = /^(?=[0-9]*[a-z-])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const LONGEST = 253
const LONGEST_LABEL = 63

/** Why a text is not a macro string (RFC 7208 7.1); null for one that is. */
export function macroFault(text: string): string | null {
  let rest = text
  while (rest !== '') {
    const piece = LITERAL.exec(rest)?.[0] ?? EXPAND.exec(rest)?.[0]
    if (piece === undefined) return rest.startsWith('%') ? 'has a macro that is none' : 'has a character that may not be there'
    rest = rest.slice(piece.length)
  }
  return null
}

/** Why a text is not a domain-spec; null for one that is. */
export function domainFault(text: string): string | null {
  if (text === '') return 'names no domain'
  const fault = macroFault(text)
  if (fault !== null) return fault
  if (/%(?:\{[^{}]*\}|[%_-])$/.test(text)) return null
  const labels = text.replace(/\.$/, '').split('.')
  const top = labels.at(-1) ?? ''
  if (labels.length < 2 || top.length > LONGEST_LABEL || !TOP_LABEL.test(top)) return 'names no full domain'
  if (hasMacro(text)) return null
  return text.length > LONGEST || labels.some((label) => label === '' || label.length > LONGEST_LABEL) ? 'names no full domain' : null
}

/** The value of a domain-spec depends on the message. */
export function hasMacro(text: string): boolean {
  return text.includes('%')
}
