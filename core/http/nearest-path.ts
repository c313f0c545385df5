import { nearest } from '../sdk/nearest.js'

/** Part of a path's letters that may be wrong, in all its words together. */
const MOST_WRONG = 3
/** Prefixes that are left out, or put where there is none. */
const PREFIXES = ['/v1', '/admin/v1', '/admin', '']
const LONGEST = 100

/**
 * The path of a list, with parameters in braces, that a mistyped one most likely meant: the same but for its case, a slash at its end or the
 * version in front; else the one with as many words of which each is near; else the longest that it goes on from; else the only one that goes on
 * from it or ends as it does. Null when none is near.
 */
export function nearestPath(given: string, known: readonly string[]): string | null {
  if (given.length > LONGEST) return null
  const path = given.toLowerCase().replace(/(?<!\/)\/+$/, '')
  const bare = PREFIXES.map((prefix) => (path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null)).filter((each) => each !== null)
  const same = PREFIXES.flatMap((prefix) => bare.map((rest) => `${prefix}${rest}`))
  const meant = same.find((each) => known.includes(each))
  if (meant !== undefined) return meant
  for (const each of [path, ...same]) {
    const near = byWords(each, known)
    if (near !== null) return near
  }
  return above(path, known)
}

function byWords(path: string, known: readonly string[]): string | null {
  const words = path.split('/')
  let best = MOST_WRONG + 1
  let found: string | null = null
  for (const template of known) {
    const wanted = template.split('/')
    if (wanted.length !== words.length) continue
    const wrong = wanted.reduce((sum, word, at) => sum + wrongness(words[at] ?? '', word), 0)
    if (wrong >= best) continue
    best = wrong
    found = template
  }
  return found
}

/** 0 for the same word or any word in place of a parameter, 1 for one that is near, more than is let pass for any other. */
function wrongness(given: string, wanted: string): number {
  if (given === wanted) return 0
  if (wanted.startsWith('{')) return given === '' ? Infinity : 0
  return nearest(given, [wanted]) === null ? Infinity : 1
}

function above(path: string, known: readonly string[]): string | null {
  const words = path.split('/')
  for (let length = words.length - 1; length > 2; length--) {
    const shorter = words.slice(0, length).join('/')
    if (known.includes(shorter)) return shorter
  }
  const last = words.at(-1) ?? ''
  const [only, ...others] = known.filter((each) => each.startsWith(`${path}/`) || (last !== '' && each.endsWith(`/${last}`)))
  return only === undefined || others.length > 0 ? null : only
}
