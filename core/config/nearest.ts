import { editDistance } from '../sdk/index.js'

/** The known name that a mistyped one most likely meant, or null when none is near (a third of its letters, at least two edits). */
export function nearest(name: string, known: Iterable<string>): string | null {
  const wanted = name.toLowerCase()
  let found: string | null = null
  let best = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const edits = editDistance(wanted, candidate.toLowerCase(), best - 1)
    if (edits < best) {
      best = edits
      found = candidate
    }
  }
  return found
}

/** `; did you mean X?`, or the names there are when few, or nothing. */
export function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  if (near !== null) return `; did you mean ${near}?`
  return known.length > 0 && known.length <= 12 ? `; known: ${known.join(', ')}` : ''
}
