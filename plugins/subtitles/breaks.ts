import type { Token } from './tokens.js'

/** Cost of a break that is used only without an alternative. */
const FORBIDDEN = 1_000

const SENTENCE_END = /[.!?…。！？؟।]["'”’»)\]」』]*$/
const CLAUSE_END = /[,;:–—、，；：،؛]["'”’»)\]」』]*$/

/** English articles and prepositions, after which no line may end. */
const CLOSED = new Set(
  (
    'a an the ' +
    'about above across after against along amid among around as at before behind below beneath beside between beyond by despite down during except for from in ' +
    'inside into like near of off on onto opposite outside over past per since than through throughout till to toward towards under underneath until unto up upon ' +
    'via with within without'
  ).split(' '),
)
/** Other English words that belong to the next one. */
const LEADING = new Set(
  (
    'my your his her its our their this that these those every each no some any mr mrs ms dr prof st mr. mrs. ms. dr. prof. st. ' +
    "and or but nor not very so too more most i i'm i'll i've he she we they you it"
  ).split(' '),
)
/** English words that start a phrase. */
const OPENING = new Set(
  (
    'and or but nor because although though while when where which who whom whose that if unless until since before after so then ' +
    'in on at by for from with without about into over under between through during against towards to'
  ).split(' '),
)

/**
 * Cost of ending a line or a subtitle after each piece of text, from 0 at the end of a sentence to FORBIDDEN after an
 * English article or preposition.
 */
export function breakCosts(tokens: readonly Token[], language: string | null): Float64Array {
  const english = language === 'en'
  return Float64Array.from(tokens, (token, at) => {
    const next = tokens[at + 1]
    if (next === undefined || next.speaker !== token.speaker) return 0
    if (english && isClosed(token.text)) return FORBIDDEN
    if (SENTENCE_END.test(token.text) && !isTitle(token.text)) return 0
    const gap = next.start - token.end
    const paused = gap >= 500 ? 2 : gap >= 250 ? 6 : Infinity
    if (CLAUSE_END.test(token.text)) return Math.min(paused, 7)
    const plain = english ? englishCost(token.text, next.text) : 18
    return Math.min(paused, next.spaced ? plain : plain + 2)
  })
}

/** Whether a text is an English article or preposition; with punctuation it ends a phrase (`Come in,`). */
function isClosed(text: string): boolean {
  return CLOSED.has(text.toLowerCase())
}

function isTitle(text: string): boolean {
  return /^(?:mrs?|ms|dr|prof|st)\.$/i.test(text)
}

function englishCost(text: string, next: string): number {
  const [word, following] = [text.toLowerCase(), next.toLowerCase()]
  if (LEADING.has(word)) return 60
  return OPENING.has(following) ? 10 : 20
}
