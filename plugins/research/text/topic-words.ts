import { terms, topic } from '../../search/contract.js'

const WORDS = /[\p{L}\p{N}]+/gu

/** The words of a text, in lower case. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(WORDS) ?? []
}

/** The topic words of a question, in lower case and not stemmed: search engines match words. */
export function topicWords(question: string): string[] {
  const own = new Set(topic(question))
  return wordsIn(question).filter((word) => terms(word).some((term) => own.has(term)))
}
