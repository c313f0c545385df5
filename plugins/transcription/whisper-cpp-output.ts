import { listAt, valueAt } from '../_shared/value-at.js'
import type { Answer, Question } from './contract.js'
import { languageCode } from './language.js'
import { type TimedPiece, wordsOfText } from './text-times.js'
import { sentence, tidied } from './words.js'

/** `[_BEG_]`, `[_TT_150]` and the like. */
const SPECIAL = /^\[_.*\]$/
/** Whisper's notation for sounds without speech: a segment in brackets, or only notes. */
const SOUND = /^(?:\[[^\]]*\]|\([^)]*\)|[♪♫\s]+)$/

/**
 * The words in the file that whisper-cli writes with `-ojf`, in seconds from the start of a part of `duration`
 * seconds; null when there are none. Its tokens are parts of words, some of them parts of a character, so words come
 * from the text of the segment.
 */
export function readWhisperCpp(
  json: unknown,
  { duration, language }: { readonly duration: number; readonly language: Question['language'] },
): Answer | null {
  const detected = languageCode(valueAt(json, 'result', 'language')) ?? language
  const segments = listAt(json, 'transcription').flatMap((segment) => {
    const text = valueAt(segment, 'text')
    const span = spanOf(segment)
    if (typeof text !== 'string' || text.trim() === '' || span === null || SOUND.test(text.trim())) return []
    const pieces = listAt(segment, 'tokens').flatMap((token) => pieceOf(token) ?? [])
    return [{ text: text.trim(), ...span, pieces }]
  })
  const words = segments.flatMap(({ pieces, ...span }) => wordsOfText({ ...span, confidence: null }, pieces, detected))
  const tidy = tidied(words, duration)
  return tidy.length === 0 ? null : { text: sentence(segments.map(({ text }) => text)), language: detected, words: tidy }
}

function pieceOf(token: unknown): TimedPiece | null {
  const [text, probability] = [valueAt(token, 'text'), valueAt(token, 'p')]
  const span = spanOf(token)
  if (typeof text !== 'string' || SPECIAL.test(text) || span === null) return null
  return { text, ...span, confidence: typeof probability === 'number' ? probability : null }
}

/** Offsets are in milliseconds. */
function spanOf(value: unknown): { readonly start: number; readonly end: number } | null {
  const [from, to] = [valueAt(value, 'offsets', 'from'), valueAt(value, 'offsets', 'to')]
  return typeof from === 'number' && typeof to === 'number' ? { start: from / 1_000, end: Math.max(from, to) / 1_000 } : null
}
