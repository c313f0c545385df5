import { bm25 } from './bm25.js'
import { terms, topic } from './words.js'

/** The paragraphs of a text that match a query best, in their original order, up to a total number of characters. */
export function passages(query: string, text: string, budget: number): string {
  const paragraphs = text
    .split('\n')
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
  if (text.length <= budget) return paragraphs.join('\n')
  const scores = bm25(topic(query), paragraphs.map(terms))
  const best = paragraphs
    .map((paragraph, at) => ({ paragraph, at, score: scores[at] ?? 0 }))
    .sort((first, second) => second.score - first.score || first.at - second.at)
  const taken: typeof best = []
  let room = budget
  for (const one of best) {
    if (room < 80) break
    taken.push({ ...one, paragraph: one.paragraph.slice(0, room) })
    room -= one.paragraph.length
  }
  return taken
    .sort((first, second) => first.at - second.at)
    .map(({ paragraph }) => paragraph)
    .join('\n')
}
