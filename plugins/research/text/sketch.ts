/** Terms per shingle, and hashes kept per text (Broder, On the resemblance and containment of documents, 1997). */
const WIDTH = 5
const KEPT = 128
/** Share of common shingles from which texts are near-duplicates. */
const SAME = 0.8

/** The smallest hashes of the shingles of a text, ascending: enough to estimate the overlap of two texts. */
export function sketch(terms: readonly string[]): readonly number[] {
  const hashes = terms.map(hash)
  const least = new Least()
  for (let at = 0; at < Math.max(1, hashes.length - WIDTH + 1); at++) {
    let mixed = 0x811c9dc5
    for (let next = at; next < Math.min(at + WIDTH, hashes.length); next++) mixed = Math.imul(mixed ^ (hashes[next] ?? 0), 0x01000193) >>> 0
    least.add(scrambled(mixed))
  }
  return least.values
}

/** The smallest of many distinct values, ascending. Most values of a long text are too large, and cost one comparison. */
class Least {
  readonly values: number[] = []

  add(value: number): void {
    const { values } = this
    if (values.length === KEPT && value >= (values[KEPT - 1] ?? 0)) return
    let [from, to] = [0, values.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((values[middle] ?? 0) < value) from = middle + 1
      else to = middle
    }
    if (values[from] === value) return
    values.splice(from, 0, value)
    if (values.length > KEPT) values.pop()
  }
}

/** Whether two texts are near-duplicates, by their sketches: the estimated Jaccard index of their shingles. */
export function isNearDuplicate(one: readonly number[], other: readonly number[]): boolean {
  const both = new Set(one)
  const inBoth = new Set(other.filter((value) => both.has(value)))
  const union = [...new Set([...one, ...other])].sort((first, second) => first - second).slice(0, KEPT)
  return union.length > 0 && union.filter((value) => inBoth.has(value)).length / union.length >= SAME
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/** Spreads the bits, so that the smallest hashes are a random sample (finaliser of MurmurHash3). */
function scrambled(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
