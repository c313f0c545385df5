import { nearest } from '../sdk/nearest.js'

/** Most words of a path that may be misspelt. */
const MOST_WRONG = 3
/** Prefixes that may be missing or superfluous. */
const PREFIXES = ['/v1', '/admin/v1', '/admin', '']
const LONGEST = 100

/**
 * The most likely known path (with parameters in braces) for a mistyped one: equal except for case, a trailing slash or
 * the version prefix; else one of as many words, each equal or similar; else its longest known parent; else the only
 * path that extends it or has the same last word. Null when none is similar.
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

/** 0 for the same word or any value of a parameter, 1 for a similar word, otherwise Infinity. */
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
