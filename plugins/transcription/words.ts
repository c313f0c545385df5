import type { SpokenWord } from './contract.js'

/** Punctuation around a word. */
const MARKS = new Set('.,!?;:…"\'“”„«»‹›‘’‚`()[]{}<>¿¡–—-·•、。，！？；：「」『』（）،؛؟।')
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Punctuation of such scripts that follows a word. */
const CLOSING = new Set('、。，！？；：」』）')
/** Lowest letter of these scripts: that of Thai. */
const FIRST_UNSPACED = 0x0e00
/** Longer words are truncated: no language has them. */
const MOST_CHARACTERS = 200
/** Minimum weight of a word in a mean, in seconds: some vendors return zero-length words. */
const LEAST_WEIGHT = 0.01

/** The word in lower case without surrounding punctuation; pure punctuation is unchanged. */
export function bareWord(text: string): string {
  const characters = [...text]
  let [from, to] = [0, characters.length]
  while (from < to && MARKS.has(characters[from] ?? '')) from++
  while (to > from && MARKS.has(characters[to - 1] ?? '')) to--
  return (from === to ? text : characters.slice(from, to).join('')).toLowerCase()
}

/** Whether a text has letters of a script without spaces between words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}

/** Whether two consecutive texts are separated by a space. */
export function isSpaced(before: string, after: string): boolean {
  if (before.charCodeAt(before.length - 1) < FIRST_UNSPACED && after.charCodeAt(0) < FIRST_UNSPACED) return true
  const [last = '', first = ''] = [[...before.slice(-2)].at(-1), [...after.slice(0, 2)][0]]
  return !(isUnspaced(last) || isUnspaced(first) || CLOSING.has(first))
}

/** Joins consecutive texts. */
export function sentence(texts: readonly string[]): string {
  return texts.reduce((before, text) => (before === '' ? text : `${before}${isSpaced(before, text) ? ' ' : ''}${text}`), '')
}

/**
 * Words prepared for the answer: none empty, in order of time, within the recording, rounded to milliseconds, none
 * ending before it starts. `duration` in seconds.
 */
export function tidied(words: readonly SpokenWord[], duration: number): SpokenWord[] {
  const inside = (time: number): number => Math.round(Math.min(Math.max(0, time), duration) * 1_000) / 1_000
  return words
    .map(({ text, start, end, confidence, speaker }) => ({
      text: text.trim().slice(0, MOST_CHARACTERS),
      start: inside(start),
      end: inside(Math.max(start, end)),
      confidence: confidence === null ? null : Math.round(Math.min(1, Math.max(0, confidence)) * 10_000) / 10_000,
      speaker,
    }))
    .filter(({ text, start, end }) => text !== '' && Number.isFinite(start) && Number.isFinite(end))
    .sort((one, other) => one.start - other.start)
}

/** Mean of the known values, weighted by duration; null when none is known. */
export function meanConfidence(words: readonly SpokenWord[]): number | null {
  let [sum, weight] = [0, 0]
  for (const { start, end, confidence } of words) {
    if (confidence === null) continue
    const length = Math.max(LEAST_WEIGHT, end - start)
    sum += confidence * length
    weight += length
  }
  return weight === 0 ? null : Math.round((sum / weight) * 10_000) / 10_000
}

/**
 * Speakers as numbers from 0 in order of first appearance; a word without a speaker is assigned to the previous one,
 * at the start to the first. All null when the vendor has no speakers.
 */
export function numberedSpeakers(names: readonly (string | number | null)[]): (number | null)[] {
  const first = names.find((name) => name !== null)
  if (first === undefined || first === null) return names.map(() => null)
  const numbers = new Map<string, number>()
  let current = String(first)
  return names.map((name) => {
    current = name === null ? current : String(name)
    const number = numbers.get(current) ?? numbers.size
    numbers.set(current, number)
    return number
  })
}
