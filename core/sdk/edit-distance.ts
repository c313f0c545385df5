/**
 * The number of edits (changes, insertions, deletions, exchanges of neighbours) between two texts, or `most + 1` when
 * it exceeds `most` (Damerau-Levenshtein, optimal string alignment).
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  const begin = sameFromStart(one, other)
  const end = sameFromEnd(one, other, begin)
  // Texts that differ at both ends need more than one edit, except for one character or two neighbours.
  if (most < 2 && Math.max(one.length, other.length) - begin - end > 2) return most + 1
  return Math.min(between(one.slice(begin, one.length - end), other.slice(begin, other.length - end), most), most + 1)
}

function sameFromStart(one: string, other: string): number {
  let begin = 0
  while (begin < one.length && begin < other.length && one[begin] === other[begin]) begin++
  return begin
}

function sameFromEnd(one: string, other: string, begin: number): number {
  let end = 0
  while (end < Math.min(one.length, other.length) - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return end
}

function between(one: string, other: string, most: number): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const changed = (last[column - 1] ?? 0) + Number(one[row - 1] !== other[column - 1])
      const exchanged =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
          ? (before[column - 2] ?? 0) + 1
          : Infinity
      next.push(Math.min(changed, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, exchanged))
    }
    if (Math.min(...next) > most) return most + 1
    before = last
    last = next
  }
  return last.at(-1) ?? 0
}
