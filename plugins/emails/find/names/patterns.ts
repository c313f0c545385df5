import { isRoleAccount } from '../../address/role.js'
import type { NameForms } from './parts.js'

/** Likelihood of the twelve usual patterns for an unknown domain, in percent: a rule of thumb. */
const USUAL = {
  'first.last': 40,
  flast: 18,
  first: 12,
  firstlast: 8,
  'f.last': 7,
  first_last: 4,
  last: 3,
  lastf: 2.5,
  'last.first': 2,
  'first-last': 1.5,
  'first.l': 1,
  firstl: 0.8,
} as const
/** Used only when a known address of the domain has them. */
const OTHERS = ['last.f', 'lfirst', 'l.first', 'lastfirst', 'last_first', 'last-first', 'f_last', 'f-last', 'fl'] as const

export type Pattern = keyof typeof USUAL | (typeof OTHERS)[number]

export const USUAL_PATTERNS: readonly Pattern[] = names(USUAL)
export const PATTERNS: readonly Pattern[] = [...USUAL_PATTERNS, ...OTHERS]

/** A possible address of the person. */
export interface Candidate {
  readonly pattern: Pattern
  readonly local: string
}

/** Patterns with the initial of the first name. */
const WITH_INITIAL = /f(?!irst)/
/** Weight of both initials of a double first name, relative to the first. */
const INITIALS = 0.5
/** Weight of each further form of a name. */
const FORM = [1, 0.5, 0.25, 0.2]
const LONGEST = 64

/** The local part for a name by a pattern; `initials` are those of a double first name, used in place of its first letter. */
export function localOf(pattern: Pattern, first: string, last: string, initials: string | null = null): string {
  const parts: Readonly<Record<string, string>> = {
    first,
    last,
    f: first.slice(0, 1),
    l: last.slice(0, 1),
    ...(initials === null ? {} : { f: initials }),
  }
  return pattern.replace(/first|last|f|l/g, (word) => parts[word] ?? '')
}

/**
 * The possible addresses of a person, the most likely first: by known patterns of the domain in order, then by the
 * usual ones. Role mailboxes are left out. Empty for a name in an unsupported script.
 */
export function candidatesFor(forms: NameForms, known: readonly Pattern[] = []): readonly Candidate[] {
  const all = new Map<string, { readonly candidate: Candidate; readonly rank: number; readonly score: number }>()
  for (const pattern of new Set([...known, ...USUAL_PATTERNS]))
    for (const [place, first] of forms.first.entries())
      for (const [at, last] of forms.last.entries()) {
        for (const initials of place === 0 && WITH_INITIAL.test(pattern) ? [null, forms.initials] : [null]) {
          const local = localOf(pattern, first, last, initials)
          if (local.length > LONGEST || isRoleAccount(local)) continue
          const rank = known.includes(pattern) ? known.indexOf(pattern) : known.length
          const score = (usual(pattern) ?? 1) * (FORM[place] ?? 0) * (FORM[at] ?? 0) * (initials === null ? 1 : INITIALS)
          const before = all.get(local)
          if (before === undefined || rank < before.rank || (rank === before.rank && score > before.score))
            all.set(local, { candidate: { pattern, local }, rank, score })
        }
      }
  return [...all.values()].sort((one, other) => one.rank - other.rank || other.score - one.score).map(({ candidate }) => candidate)
}

function usual(pattern: Pattern): number | undefined {
  return Object.entries(USUAL).find(([name]) => name === pattern)?.[1]
}

function names<T extends object>(table: T): (keyof T & string)[] {
  const all: (keyof T & string)[] = []
  for (const name in table) all.push(name)
  return all
}
