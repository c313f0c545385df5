import type { Answer, SpokenWord } from './contract.js'
import { sentence, tidied } from './words.js'

/** A line for one word: word, start and end in seconds, and its posterior probability (pocketsphinx_continuous, `-time yes`). */
const WORD = /^(\S+) (\d+(?:\.\d+)?) (\d+(?:\.\d+)?) (\d+(?:\.\d+)?(?:e-?\d+)?)$/
/** Silence, sentence marks and noises. */
const NO_WORD = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/

/** The words in pocketsphinx_continuous's output; null when there are none. `duration` is the length of the input, in seconds. */
export function readSphinx(output: Uint8Array, duration: number): Answer | null {
  const words = Buffer.from(output)
    .toString('utf8')
    .split('\n')
    .flatMap((line): SpokenWord[] => {
      const [, word = '', start, end, confidence] = WORD.exec(line.trim()) ?? []
      if (word === '' || NO_WORD.test(word)) return []
      // Alternative pronunciations of a word are numbered: `the(2)`.
      const text = word.replace(/\(\d+\)$/, '')
      return [{ text, start: Number(start), end: Number(end), confidence: Number(confidence), speaker: null }]
    })
  const tidy = tidied(words, duration)
  return tidy.length === 0 ? null : { text: sentence(tidy.map(({ text }) => text)), language: 'en', words: tidy }
}
