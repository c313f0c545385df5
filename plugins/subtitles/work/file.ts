import type { SpokenWord } from '../../transcription/contract.js'
import { cuesOf, type Cue } from '../cues.js'

const HOUR_MS = 3_600_000

export interface FileInput {
  readonly words: readonly SpokenWord[]
  readonly language: string | null
  /** Seconds. */
  readonly duration: number
  readonly format: 'srt' | 'vtt'
}

/** A subtitle file. */
export interface SubtitleFile {
  readonly content: string
  readonly count: number
  /** Number of subtitles on screen for too short a time. */
  readonly hurried: number
}

/** Creates a subtitle file from the words of a recording. Runs in a worker: four hours take some tenths of a second. */
export default function fileOf({ words, language, duration, format }: FileInput): SubtitleFile {
  const { cues, hurried } = cuesOf(words, { language, duration })
  return { content: format === 'srt' ? srt(cues) : vtt(cues), count: cues.length, hurried }
}

/** A SubRip file: numbers from 1, times as 00:00:01,250, a blank line between subtitles. */
export function srt(cues: readonly Cue[]): string {
  return cues
    .map(({ start, end, lines }, at) => `${String(at + 1)}\n${clock(start, ',')} --> ${clock(end, ',')}\n${lines.join('\n')}\n`)
    .join('\n')
}

/** A WebVTT file (https://www.w3.org/TR/webvtt1/). */
export function vtt(cues: readonly Cue[]): string {
  const escaped = (line: string): string => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const blocks = cues.map(({ start, end, lines }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${lines.map(escaped).join('\n')}\n`)
  return `WEBVTT\n\n${blocks.join('\n')}`
}

function clock(ms: number, point: ',' | '.'): string {
  const part = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, '0')
  return `${part(ms / HOUR_MS, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1_000) % 60, 2)}${point}${part(ms % 1_000, 3)}`
}
