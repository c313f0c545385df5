import { terms, topic } from '../../search/contract.js'

const WORDS = /[\p{L}\p{N}]+/gu

/** The words of a text, in lower case. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(WORDS) ?? []
}

/** The words of a question that say what it is about, as they stand there: search engines find words, not their stems. */
export function tellingWords(question: string): string[] {
  const telling = new Set(topic(question))
  return wordsIn(question).filter((word) => terms(word).some((term) => telling.has(term)))
}
