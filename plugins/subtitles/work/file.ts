import type { SpokenWord } from '../../transcription/contract.js'
import { cuesOf } from '../cues.js'
import { srt, vtt } from '../files.js'

export interface FileInput {
  readonly words: readonly SpokenWord[]
  readonly language: string | null
  /** Seconds. */
  readonly duration: number
  readonly format: 'srt' | 'vtt'
}

/** A file of subtitles. */
export interface SubtitleFile {
  readonly content: string
  readonly count: number
  /** How many are on screen for less time than their text needs. */
  readonly hurried: number
}

/** The words of a recording as a file of subtitles. Runs in a worker: of four hours it takes some tenths of a second. */
export default function fileOf({ words, language, duration, format }: FileInput): SubtitleFile {
  const { cues, hurried } = cuesOf(words, { language, duration })
  return { content: format === 'srt' ? srt(cues) : vtt(cues), count: cues.length, hurried }
}
