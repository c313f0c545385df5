import { STOP_WORDS, VOCABULARY, wordsOfTheme } from './vocabulary.js'

/** Most words read. */
const MOST_WORDS = 400
const MOST_KEYWORDS = 12

/** Words of a text in Latin script, lower case and without accents, in order. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('æ', 'ae').toLowerCase()
  return (plain.match(/[a-z0-9]+/g) ?? []).slice(0, MOST_WORDS)
}

/** Words describing a business: first those of a theme, then the others; each by how often and how early they occur. */
export function keywordsOf(text: string): string[] {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) {
    const stem = stemOf(word)
    if (stem.length < 3 || stem.length > 12 || STOP_WORDS.has(word) || STOP_WORDS.has(stem) || /\d/.test(stem)) continue
    counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  const themed = new Set(Object.keys(VOCABULARY).flatMap(wordsOfTheme))
  const weightOf = ([word, count]: [string, number]): number => count + (themed.has(word) ? 100 : 0)
  return [...counts]
    .sort((one, other) => weightOf(other) - weightOf(one))
    .map(([word]) => word)
    .slice(0, MOST_KEYWORDS)
}

/** Themes of the catalogue mentioned in a text, the best match first, with the matching words. */
export function themesOf(text: string): { readonly theme: string; readonly words: readonly string[] }[] {
  const words = new Set(wordsOf(text).flatMap((word) => [word, stemOf(word)]))
  return Object.keys(VOCABULARY)
    .map((theme) => ({
      theme,
      words: [
        ...new Set(
          wordsOfTheme(theme)
            .filter((word) => words.has(word))
            .map(stemOf),
        ),
      ],
    }))
    .filter(({ words: found }) => found.length > 0)
    .sort((one, other) => other.words.length - one.words.length)
}

/** An English plural without its s. */
function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}
