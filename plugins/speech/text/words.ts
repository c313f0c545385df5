import { englishWords } from './english/words.js'
import { withoutPhonemes } from './plain.js'

/** A text as the engines of this machine speak it best: without their own marks, and in English with figures and signs in words. */
export function wordsFor(text: string, language: string): string {
  const plain = withoutPhonemes(text)
  return language === 'en' ? englishWords(plain) : plain
}
