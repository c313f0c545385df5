import { isRoleAccount } from '../../address/role.js'
import type { ShownAddress } from '../contract.js'
import { nameForms } from './parts.js'
import { localOf, PATTERNS, type Pattern } from './patterns.js'

/** Weight of an address with its owner's name, relative to one without. */
const NAMED = 3
/** Two words may be in either order. */
const SHAPES: readonly (readonly [RegExp, Pattern])[] = [
  [/^\p{Ll}\.\p{Ll}{2,}$/u, 'f.last'],
  [/^\p{Ll}{2,}\.\p{Ll}$/u, 'first.l'],
  [/^\p{Ll}{2,}\.\p{Ll}{2,}$/u, 'first.last'],
  [/^\p{Ll}{2,}_\p{Ll}{2,}$/u, 'first_last'],
  [/^\p{Ll}_\p{Ll}{2,}$/u, 'f_last'],
  [/^\p{Ll}{2,}-\p{Ll}{2,}$/u, 'first-last'],
  [/^\p{Ll}-\p{Ll}{2,}$/u, 'f-last'],
]

/**
 * The patterns of a domain's known addresses, the most common first. With a name the pattern is certain; without one
 * it is known only from a dot, a hyphen or an underscore. Role mailboxes and addresses at other domains are ignored.
 */
export function shownPatterns(shown: readonly ShownAddress[], domain: string): readonly Pattern[] {
  const votes = new Map<Pattern, number>()
  const vote = (pattern: Pattern, count: number): void => void votes.set(pattern, (votes.get(pattern) ?? 0) + count)
  for (const each of shown) {
    const local = localAt(each.address, domain)
    if (local === null || isRoleAccount(local)) continue
    const exact = patternsBeside(each)
    for (const pattern of exact) vote(pattern, NAMED / exact.length)
    if (exact.length > 0) continue
    const shape = SHAPES.find(([form]) => form.test(local))
    if (shape !== undefined) vote(shape[1], 1)
  }
  return [...votes].sort(([, one], [, other]) => other - one).map(([pattern]) => pattern)
}

/** The part before the @ in lower case of an address at exactly this domain; null for any other. */
export function localAt(address: string, domain: string): string | null {
  const at = address.lastIndexOf('@')
  return at > 0 && address.slice(at + 1).toLowerCase() === domain ? address.slice(0, at).toLowerCase() : null
}

/** The same address with its patterns in place of its owner's name. */
export function withoutName(shown: ShownAddress): ShownAddress {
  return { address: shown.address, first_name: null, last_name: null, patterns: patternsBeside(shown) }
}

/** Certain patterns: from the name beside an address, or stored in place of it. */
function patternsBeside({ address, first_name, last_name, patterns }: ShownAddress): Pattern[] {
  if (patterns !== undefined) return PATTERNS.filter((each) => patterns.includes(each))
  if (first_name === null || last_name === null) return []
  const at = address.lastIndexOf('@')
  return patternsOf(address.slice(0, at).toLowerCase(), { first_name, last_name, domain: address.slice(at + 1).toLowerCase() })
}

function patternsOf(local: string, of: { readonly first_name: string; readonly last_name: string; readonly domain: string }): Pattern[] {
  const { first, last, initials } = nameForms(of.first_name, of.last_name, of.domain)
  return PATTERNS.filter((pattern) =>
    first.some((one) => last.some((other) => [null, initials].some((both) => localOf(pattern, one, other, both) === local))),
  )
}
