import { parseUrl } from '../../../core/sdk/url.js'
import { LIMITS } from './limits.js'

/** Characters that end a sentence or an emphasis, not the address before it. */
const AFTER = new Set('.,;:!?*_')

/** Absolute http and https addresses in a text, distinct and in order, at most 5,000 of the first 10,000 found. Linear time. */
export function addresses(text: string): string[] {
  const found = new Set<string>()
  let checked = 0
  for (const [match] of text.matchAll(/https?:\/\/[^\s<>"'`)\]}|\\]{1,2000}/gi)) {
    checked += 1
    const url = parseUrl(trimmed(match))
    if (url !== null) found.add(url.href)
    if (found.size >= LIMITS.links || checked >= LIMITS.addresses) break
  }
  return [...found]
}

/** Not a regular expression: one anchored at the end restarts at each dot of a run that is not at the end. */
function trimmed(address: string): string {
  let end = address.length
  while (end > 0 && AFTER.has(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}
