const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' })

/** The folded words of a text with their counts; ideographs and kana are segmented by Unicode and ICU dictionaries. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { segment, isWordLike } of SEGMENTER.segment(text.normalize('NFKC').toLowerCase()))
    if (isWordLike === true) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return counts
}

/** Token F1: twice the common words over the words of both, repeated ones as often as they are in both. 0 without common words. */
export function tokenF1(found: string, gold: string): number {
  const [one, other] = [countWords(found), countWords(gold)]
  let common = 0
  for (const [word, count] of one) common += Math.min(count, other.get(word) ?? 0)
  return common === 0 ? 0 : (2 * common) / (sum(one) + sum(other))
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
