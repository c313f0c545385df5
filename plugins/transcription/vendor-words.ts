import { Fault, Type } from '../../core/sdk/index.js'
import type { Answer, Question } from './contract.js'
import { noSpeech } from './no-speech.js'
import { numberedSpeakers, sentence, tidied } from './words.js'

/** A word in the common form of most vendors; absent fields are null. */
interface VendorWord {
  readonly text: string
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly confidence: number | null
  readonly speaker: string | number | null
}

export const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
export const optionalNumber = Type.Optional(Type.Union([Type.Number(), Type.Null()]))

/** Time limit of a vendor in milliseconds: half a minute, and a tenth of the recording for upload and processing. */
export const vendorMs = ({ audio }: Question): number => 30_000 + audio.duration * 100

/** A vendor's words as an answer; a `missing` Fault when there are none. */
export function answerOfWords(
  question: Question,
  { words, text, language }: { readonly words: readonly VendorWord[]; readonly text: string | null; readonly language: string | null },
): Answer {
  const speakers = question.speakers ? numberedSpeakers(words.map(({ speaker }) => speaker)) : words.map(() => null)
  const tidy = tidied(
    words.map((word, at) => ({ ...word, speaker: speakers[at] ?? null })),
    question.audio.duration,
  )
  const transcript = text === null || text.trim() === '' ? sentence(tidy.map((word) => word.text)) : text.trim()
  if (transcript === '') throw noSpeech(question)
  if (tidy.length === 0 && question.timed) throw new Fault('broken', 'The vendor gave text without the times of its words.')
  return { text: transcript, language: language ?? question.language, words: tidy }
}
