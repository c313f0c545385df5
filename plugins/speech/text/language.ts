import { LETTERS, STOP_WORDS } from './language-words.js'

/** Scripts used by one language, or assigned to one, by ISO 639-1 code. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Bengali}/u, 'bn'],
  [/\p{Script=Gurmukhi}/u, 'pa'],
  [/\p{Script=Gujarati}/u, 'gu'],
  [/\p{Script=Oriya}/u, 'or'],
  [/\p{Script=Tamil}/u, 'ta'],
  [/\p{Script=Telugu}/u, 'te'],
  [/\p{Script=Kannada}/u, 'kn'],
  [/\p{Script=Malayalam}/u, 'ml'],
  [/\p{Script=Sinhala}/u, 'si'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Myanmar}/u, 'my'],
  [/\p{Script=Georgian}/u, 'ka'],
  [/\p{Script=Armenian}/u, 'hy'],
  [/\p{Script=Ethiopic}/u, 'am'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
]
/** Letters used by only some languages of a script, in order of precedence. */
const MARKS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  ru: [
    [/[іїєґ]/i, 'uk'],
    [/[ў]/i, 'be'],
    [/[ђјљњћџ]/i, 'sr'],
    [/[қңғәұһ]/i, 'kk'],
  ],
  ar: [
    [/[ٹڈڑے]/, 'ur'],
    [/[پچژگ]/, 'fa'],
  ],
}
const WORDS = /[\p{L}\p{M}]+/gu
const MOST_WORDS = 400
const MOST_CHARACTERS = 4_000
/** Letters before this one are Latin. */
const FIRST_BEYOND_LATIN = '\u0370'
/** Weight of a rare letter relative to a stop word. */
const LETTER_WEIGHT = 0.5

/**
 * The language of a text, ISO 639-1: by the script of most of its letters, in Latin script by frequent words and rare
 * letters. Deterministic. English for an inconclusive text in Latin script.
 */
export function languageOf(text: string): string {
  const counts = new Map<string, number>()
  for (const letter of text.slice(0, MOST_CHARACTERS).match(/\p{L}/gu) ?? []) {
    const language = letter < FIRST_BEYOND_LATIN ? 'latin' : (SCRIPTS.find(([script]) => script.test(letter))?.[1] ?? 'latin')
    counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  // A Japanese text is mostly Han characters; kana decide.
  const kana = counts.get('ja') ?? 0
  if (kana > 0 && kana * 20 >= (counts.get('zh') ?? 0)) counts.set('ja', kana + (counts.get('zh') ?? 0) + 1)
  const [found] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? ['latin']
  if (found === 'latin') return latin(text)
  return MARKS[found]?.find(([mark]) => mark.test(text))?.[1] ?? found
}

function latin(text: string): string {
  const low = text.slice(0, MOST_CHARACTERS).toLowerCase()
  const words = (low.match(WORDS) ?? []).slice(0, MOST_WORDS)
  const scores = new Map<string, number>()
  const add = (language: string, weight: number): void => void scores.set(language, (scores.get(language) ?? 0) + weight)
  for (const word of words) for (const language of STOP_WORDS.get(word) ?? []) add(language, 1)
  for (const letter of low) for (const language of LETTERS.get(letter) ?? []) add(language, LETTER_WEIGHT)
  let [best, most] = ['en', scores.get('en') ?? 0]
  for (const [language, score] of scores) if (score > most) [best, most] = [language, score]
  return best
}
