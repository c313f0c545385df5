import { englishWords } from './english/words.js'
import { withoutPhonemes } from './plain.js'

/** A text prepared for local engines: without their markup, and in English with numbers and signs as words. */
export function wordsFor(text: string, language: string): string {
  const plain = withoutPhonemes(text)
  return language === 'en' ? englishWords(plain) : plain
}
