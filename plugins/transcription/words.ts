import type { SpokenWord } from './contract.js'

/** What is around a word and is no part of it. */
const MARKS = new Set('.,!?;:…"\'“”„«»‹›‘’‚`()[]{}<>¿¡–—-·•、。，！？；：「」『』（）،؛؟।')
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Punctuation of such scripts that is behind a word. */
const CLOSING = new Set('、。，！？；：」』）')
/** No letter below is of one of them: that of Thai. */
const FIRST_UNSPACED = 0x0e00
/** Longer words are cut: no language has them. */
const MOST_CHARACTERS = 200
/** The least weight of a word in a mean, in seconds: some vendors give words no length. */
const LEAST_WEIGHT = 0.01

/** The word in small letters without the punctuation around it; a word that is nothing else stays as it is. */
export function bareWord(text: string): string {
  const characters = [...text]
  let [from, to] = [0, characters.length]
  while (from < to && MARKS.has(characters[from] ?? '')) from++
  while (to > from && MARKS.has(characters[to - 1] ?? '')) to--
  return (from === to ? text : characters.slice(from, to).join('')).toLowerCase()
}

/** Whether a text has letters of a script that writes no spaces between words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}

/** Whether two texts that follow each other are written with a space between them. */
export function isSpaced(before: string, after: string): boolean {
  if (before.charCodeAt(before.length - 1) < FIRST_UNSPACED && after.charCodeAt(0) < FIRST_UNSPACED) return true
  const [last = '', first = ''] = [[...before.slice(-2)].at(-1), [...after.slice(0, 2)][0]]
  return !(isUnspaced(last) || isUnspaced(first) || CLOSING.has(first))
}

/** Texts that follow each other as one. */
export function sentence(texts: readonly string[]): string {
  return texts.reduce((before, text) => (before === '' ? text : `${before}${isSpaced(before, text) ? ' ' : ''}${text}`), '')
}

/**
 * Words as the answer needs them: none empty, in order of time, within the recording, in milliseconds' precision, none ending before it begins. `duration`
 * in seconds.
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

/** Mean of what is known, weighted by the length of the words in time; null where nothing is known. */
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
 * Speakers as numbers from 0 in the order in which they speak first; a word that the vendor gives to nobody belongs to who spoke before it, at the beginning
 * to who speaks first. All null where the vendor names nobody.
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
