import { inChunks } from '../../_shared/tokens.js'

/** Overlap of a part with the next, so that values at a boundary are complete in one of them. */
const OVERLAP = 0.05
const MOST_OVERLAP = 400

interface Parts {
  readonly parts: readonly string[]
  /** The text is longer than all parts together. */
  readonly truncated: boolean
}

/** Splits a text into at most `most` parts of at most so many tokens. */
export function partsOf(text: string, tokens: number, most: number): Parts {
  const parts: string[] = []
  for (const part of inChunks(text, tokens, Math.min(MOST_OVERLAP, Math.floor(tokens * OVERLAP)))) {
    if (parts.length === most) return { parts, truncated: true }
    parts.push(part)
  }
  return { parts, truncated: false }
}
