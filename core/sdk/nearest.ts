import { editDistance } from './index.js'

/** Least letters of a name for a match as a part of another one. */
const LEAST_PART = 3

/**
 * The known name that a mistyped one most likely means, or null when none is similar: within edits of a third of its
 * letters, at least two but at most half of them; otherwise the only one that contains it or is contained in it.
 */
export function nearest(name: string, known: Iterable<string>): string | null {
  const wanted = name.toLowerCase()
  let found: string | null = null
  const names = [...known]
  let best = Math.min(Math.max(2, Math.floor(name.length / 3)), Math.floor(name.length / 2)) + 1
  for (const candidate of names) {
    const edits = editDistance(wanted, candidate.toLowerCase(), best - 1)
    if (edits < best) {
      best = edits
      found = candidate
    }
  }
  return found ?? partOf(wanted, names)
}

function partOf(wanted: string, known: readonly string[]): string | null {
  if (wanted.length < LEAST_PART) return null
  const [only, ...others] = known.filter((candidate) => {
    const name = candidate.toLowerCase()
    return name.includes(wanted) || (name.length >= LEAST_PART && wanted.includes(name))
  })
  return only === undefined || others.length > 0 ? null : only
}

/** `; did you mean X?`, or the known names if they are few, or an empty text. */
export function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  if (near !== null) return `; did you mean ${near}?`
  return known.length > 0 && known.length <= 12 ? `; known: ${known.join(', ')}` : ''
}
