import { Fault, Type, type Static } from '../../core/sdk/index.js'
import { listAt, valueAt } from '../_shared/value-at.js'
import type { Answer, Question, SpokenWord } from './contract.js'
import { languageCode } from './language.js'
import { type TimedPiece, wordsOfText } from './text-times.js'
import { sentence, tidied } from './words.js'

/**
 * The reply of OpenAI's POST /audio/transcriptions and compatible servers: `json` has only the text, `verbose_json`
 * segments and words too.
 */
export const whisperReply = Type.Object({
  text: Type.String(),
  language: Type.Optional(Type.Unknown()),
  words: Type.Optional(Type.Unknown()),
  segments: Type.Optional(Type.Unknown()),
})

/** Whisper's own thresholds for a segment without speech (openai/whisper, transcribe.py: no_speech_threshold, logprob_threshold). */
const NO_SPEECH = 0.6
const UNSURE = -1
/** Older servers return nanoseconds: no recording has so many seconds. */
const ABSURD_S = 1_000_000

interface Segment {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly confidence: number | null
  readonly silent: boolean
  readonly pieces: readonly TimedPiece[]
}

/**
 * Reads a transcription, timed from the start of the sent part of `duration` seconds. Segments that the model marks
 * as silence are left out. Null when nothing is left; a Fault when times are required and missing.
 */
export function readWhisper(
  reply: Static<typeof whisperReply>,
  { duration, language, timed }: Pick<Question, 'language' | 'timed'> & { duration: number },
): Answer | null {
  const all = listAt(reply, 'segments').flatMap((segment) => segmentOf(segment) ?? [])
  const kept = all.filter(({ silent }) => !silent)
  const text = kept.length < all.length ? sentence(kept.map((segment) => segment.text)) : reply.text.trim()
  if (text === '') return null
  const detected = languageCode(reply.language) ?? language
  const words = tidied(
    wordsOf(text, { kept, all, pieces: listAt(reply, 'words').flatMap((word) => pieceOf(word) ?? []), duration, language: detected }),
    duration,
  )
  if (words.length === 0 && timed) throw new Fault('missing', 'The vendor gives no times of words.', { inconclusive: true })
  return { text, language: detected, words }
}

interface Material {
  readonly kept: readonly Segment[]
  readonly all: readonly Segment[]
  readonly pieces: readonly TimedPiece[]
  readonly duration: number
  readonly language: string | null
}

function wordsOf(text: string, { kept, all, pieces, duration, language }: Material): SpokenWord[] {
  if (pieces.length > 0) {
    const holder = holderIn(all)
    const inside = pieces
      .filter((piece) => holder(piece)?.silent !== true)
      .map((piece) => ({ ...piece, confidence: piece.confidence ?? holder(piece)?.confidence ?? null }))
    const [start, end] = [inside[0]?.start ?? 0, inside.at(-1)?.end ?? duration]
    return wordsOfText({ text, start, end, confidence: null }, inside, language)
  }
  return kept.flatMap((segment) => wordsOfText(segment, segment.pieces, language))
}

/** Finds the segment that contains the time of a word. */
function holderIn(segments: readonly Segment[]): (piece: TimedPiece) => Segment | undefined {
  const ordered = [...segments].sort((one, other) => one.end - other.end)
  return ({ start, end }) => {
    let [from, to] = [0, ordered.length]
    while (from < to) {
      const half = (from + to) >> 1
      if ((ordered[half]?.end ?? Infinity) < (start + end) / 2) from = half + 1
      else to = half
    }
    return ordered[from]
  }
}

function segmentOf(value: unknown): Segment | null {
  const [start, end] = [secondsOf(valueAt(value, 'start')), secondsOf(valueAt(value, 'end'))]
  const text = valueAt(value, 'text')
  if (start === null || end === null || typeof text !== 'string') return null
  const [logprob, silence] = [numberOf(valueAt(value, 'avg_logprob')), numberOf(valueAt(value, 'no_speech_prob'))]
  const pieces = listAt(value, 'words').flatMap((word) => pieceOf(word) ?? [])
  return {
    text: text.trim(),
    start,
    end: Math.max(start, end),
    confidence: logprob === null ? null : Math.min(1, Math.exp(logprob)),
    silent: silence !== null && logprob !== null && silence > NO_SPEECH && logprob < UNSURE,
    pieces,
  }
}

/** The word is `word` in OpenAI's reply, `text` in LocalAI's; whisper.cpp adds a probability. */
function pieceOf(value: unknown): TimedPiece | null {
  const text = valueAt(value, 'word') ?? valueAt(value, 'text')
  const [start, end] = [secondsOf(valueAt(value, 'start')), secondsOf(valueAt(value, 'end'))]
  if (typeof text !== 'string' || start === null || end === null) return null
  return { text, start, end: Math.max(start, end), confidence: numberOf(valueAt(value, 'probability')) }
}

function secondsOf(value: unknown): number | null {
  const number = numberOf(value)
  if (number === null || number < 0) return null
  return number > ABSURD_S ? number / 1e9 : number
}

/** vLLM writes some numbers as strings. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
