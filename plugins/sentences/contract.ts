import { port, Type, type Services } from '../../core/sdk/index.js'

/** Texts per call, characters used of each, and dimensions of a vector. */
export const EMBED_LIMITS = { texts: 2_000, characters: 2_000, size: 512 } as const

/** Sentence embeddings: vectors of length 1 in the order of the texts. */
export const sentencesEmbed = port({
  id: 'sentences.embed',
  input: Type.Object({
    /** A text is truncated to 2,000 characters; a text without words has a vector too. */
    texts: Type.Array(Type.String({ maxLength: 100_000 }), { minItems: 1, maxItems: EMBED_LIMITS.texts }),
  }),
  output: Type.Object({ vectors: Type.Unsafe<readonly Float32Array[]>({ type: 'array' }) }),
})

/**
 * A unit vector of 512 dimensions for each of at most 2,000 texts (Yang et al. 2019, https://arxiv.org/abs/1907.04307)
 * in one of 16 languages: ar, de, en, es, fr, it, ja, ko, nl, pl, pt, ru, th, tr, zh and zh-TW. Null if the engine
 * pack is not installed. Faults as `Engine.ask`.
 */
export async function embed(texts: readonly string[], context: Pick<Services, 'call' | 'has'>): Promise<readonly Float32Array[] | null> {
  if (!context.has(sentencesEmbed)) return null
  if (texts.length === 0) return []
  const { vectors } = await context.call(sentencesEmbed, { texts: [...texts] })
  return vectors
}

/** Similarity of two texts by their unit vectors, -1 to 1: the cosine of the angle between them. */
export function likeness(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
}
