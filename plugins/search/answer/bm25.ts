/** Saturation of repeated terms and weight of length (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009). */
const K1 = 1.2
const B = 0.75

/** The score of each document, given as its terms, for a query: Okapi BM25 with document frequencies from these documents. */
export function bm25(query: readonly string[], documents: readonly (readonly string[])[]): number[] {
  const wanted = new Set(query)
  const average = documents.reduce((sum, document) => sum + document.length, 0) / Math.max(1, documents.length)
  const counts = documents.map((document) => {
    const count = new Map<string, number>()
    for (const term of document) if (wanted.has(term)) count.set(term, (count.get(term) ?? 0) + 1)
    return count
  })
  const rarity = new Map([...wanted].map((term) => [term, idf(counts.filter((count) => count.has(term)).length, documents.length)]))
  return documents.map((document, at) => {
    let score = 0
    for (const [term, count] of counts[at] ?? [])
      score += ((rarity.get(term) ?? 0) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * document.length) / average))
    return score
  })
}

function idf(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5))
}
