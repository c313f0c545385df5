const WORDS = /[\p{L}\p{N}]+/gu
/** Scripts written without spaces, whose terms are pairs of characters. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Endings of English word forms: `descale`, `descaled`, `descaling`. */
const ENDINGS = ['ing', 'ed', 'es', 'e', 's']
const SHORTEST_STEM = 4

/** The terms of a text for comparison: lower case, English endings removed, pairs of characters for scripts without spaces. */
export function terms(text: string): string[] {
  const words = text.toLowerCase().match(WORDS) ?? []
  // One check of the whole text: most have no such script, and the pattern takes longer than the rest.
  return UNSPACED.test(text) ? words.flatMap((word) => (UNSPACED.test(word) ? pairs(word) : [stem(word)])) : words.map(stem)
}

function stem(word: string): string {
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= SHORTEST_STEM)
  if (ending !== undefined) return word.slice(0, -ending.length)
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

function pairs(word: string): string[] {
  const characters = [...word]
  return characters.length < 2 ? characters : characters.slice(1).map((second, at) => `${characters[at] ?? ''}${second}`)
}

/** Question and function words without a topic: English, German, French, Spanish. */
const FUNCTION_WORDS = new Set(
  (
    'a an the of in on at to for from by with and or not is are was were be been do does did has have had can could will would should may it its this that these those ' +
    'i you he she we they my your his her our their me what which who whom whose when where why how there here about into than then so if as ' +
    'der die das den dem des ein eine einen einem einer und oder nicht ist sind war wie wa warum wer wo wann wird werden von im zu mit für auf ' +
    'le la les un une de du et ou est sont que qui quoi comment pourquoi quand où dans pour avec sur el los las una y o es son qué quién cómo cuándo dónde por para con en'
  )
    .split(' ')
    .flatMap((word) => [word, stem(word)]),
)

/** The topic terms of a query; all of them when there are none. */
export function topic(query: string): string[] {
  const all = terms(query)
  const telling = all.filter((term) => !FUNCTION_WORDS.has(term))
  return telling.length === 0 ? all : telling
}
