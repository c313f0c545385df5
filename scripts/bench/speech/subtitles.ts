import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cuesOf } from '../../../plugins/subtitles/cues.js'
import { srt, vtt } from '../../../plugins/subtitles/work/file.js'
import type { SpokenWord } from '../../../plugins/transcription/contract.js'
import { HEADER } from '../../../plugins/transcription/wav.js'
import { faultsOf, readSrt, readVtt, type HeardWord, type ReadCue } from '../../../test/support/subtitles.js'
import { row, type Say } from '../files/figure.js'
import { random } from '../invoices/random.js'
import { type Speak, withVoice } from './direct-voice.js'
import { withWhisper } from './direct-whisper.js'
import { REMARKS } from './remarks.js'
import { talks, type Talk } from './talks.js'
import { ffmpeg, type SoundWorld, withSpeech, written, type SpeechWorld } from './world.js'

/** What is seen of the files of some talks. */
class Seen {
  readonly #say: Say
  readonly #folder: string
  #all = 0
  #kept = 0
  #read = 0
  #hurried = 0

  constructor(say: Say, folder: string) {
    this.#say = say
    this.#folder = folder
  }

  /** Checks a file; reports what is against the rules. */
  add(name: string, { format, content, words, hurried }: Made): void {
    const cues = format === 'srt' ? readSrt(content) : readVtt(content)
    const faults = faultsOf(cues, words, { fast: hurried > 0 })
    for (const fault of faults) this.#say(`  ${name}: ${fault}`)
    const named = new Set(faults.map((fault) => /^\d+/.exec(fault)?.[0] ?? 'the file'))
    this.#all += cues.length
    this.#hurried += hurried
    this.#kept += named.has('the file') ? 0 : cues.length - named.size
    this.#read += readAsWritten(this.#folder, written(this.#folder, `talk.${format}`, Buffer.from(content)), cues)
  }

  rows(): void {
    const count = String(this.#all)
    this.#say(
      row(`of ${count} subtitles of the talks those that keep the rules`, (100 * this.#kept) / this.#all, { least: 100, unit: '%' }),
    )
    this.#say(
      row(`of ${count} those that FFmpeg reads with the same times and lines`, (100 * this.#read) / this.#all, { least: 100, unit: '%' }),
    )
    this.#say(row(`of ${count} those that are too short for their text, as metadata.notes says`, this.#hurried, { unit: 'subtitles' }))
  }
}

interface Made {
  readonly format: 'srt' | 'vtt'
  readonly content: string
  readonly words: readonly HeardWord[]
  /** Subtitles that are too short for their text. */
  readonly hurried: number
}

const formatOf = (at: number): Made['format'] => (at % 2 === 0 ? 'srt' : 'vtt')

/** Subtitles of the made talks, in turn SubRip and WebVTT: how many keep the rules, and how many FFmpeg reads as they are in the file. */
export async function benchSubtitles(
  say: Say,
  { talks: made }: { readonly talks: (world: SpeechWorld) => Promise<Talk[]> },
): Promise<void> {
  await withSpeech({}, async (world) => {
    const seen = new Seen(say, world.folder)
    for (const [at, talk] of (await made(world)).entries()) {
      const file = written(world.folder, `${talk.name.replaceAll(' ', '-')}.wav`, talk.wav)
      const params = { audio_url: world.address(file), language: 'en' }
      const words = await wordsOf(world, params)
      const { data, notes } = await world.call('/v1/subtitles/generate', { ...params, format: formatOf(at) })
      const hurried = Number(/^\d+/.exec(notes.join())?.[0] ?? notes.length)
      seen.add(talk.name, { format: formatOf(at), content: String(data?.['subtitle_content']), words, hurried })
    }
    seen.rows()
  })
}

/** The same of words that Whisper recognises without a gateway, with the speakers of the talks. */
export async function benchSubtitlesDirect(say: Say, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-subtitles-'))
  try {
    const made = await withVoice((speak) => talks(soundWorld(folder, speak), count))
    await withWhisper(async (listen) => {
      const seen = new Seen(say, folder)
      for (const [at, talk] of made.entries()) {
        const heard = (await listen(talk.wav.subarray(HEADER), talk.length))?.words ?? []
        const words = heard.map((word) => ({ ...word, speaker: speakerAt(talk, (word.start + word.end) / 2) }))
        const { cues, hurried } = cuesOf(words, { language: 'en', duration: talk.length })
        seen.add(talk.name, { format: formatOf(at), content: formatOf(at) === 'srt' ? srt(cues) : vtt(cues), words, hurried })
      }
      seen.rows()
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A world in which the neural voice alone answers. */
function soundWorld(folder: string, speak: Speak): SoundWorld {
  return {
    folder,
    call: async (_path, { text }) => {
      const data = { audio_base64: Buffer.from(await speak(String(text))).toString('base64'), format: 'wav' }
      return { data, notes: [], detail: '' }
    },
  }
}

/** Whose turn it is at a time, or who spoke last. */
function speakerAt({ turns }: Talk, time: number): number {
  return turns.findLast(({ from }) => from <= time)?.speaker ?? 0
}

/** The words that the subtitles are made of, with their speakers: those of utterances, in order. */
async function wordsOf(world: SpeechWorld, params: Readonly<Record<string, unknown>>): Promise<HeardWord[]> {
  const [single, talk] = [await world.call('/v1/speech/transcribe', params), await world.call('/v1/audio/transcribe', params)]
  const words = single.data?.['words'] as readonly { readonly punctuated_word: string; readonly start: number; readonly end: number }[]
  const said = talk.data?.['utterances'] as readonly { readonly speaker: number; readonly text: string }[]
  const speakers = said.flatMap(({ speaker, text }) => text.split(' ').map(() => speaker))
  if (speakers.length !== words.length) throw new Error(`${String(words.length)} words, and ${String(speakers.length)} with speakers`)
  return words.map(({ punctuated_word: text, start, end }, at) => ({ text, start, end, speaker: speakers[at] ?? null }))
}

/** How many subtitles FFmpeg finds in a file with the times and the lines that they have there. */
function readAsWritten(folder: string, file: string, cues: readonly ReadCue[]): number {
  ffmpeg(folder, ['-i', file, '-f', 'srt', 'again.srt'])
  const again = readSrt(`${readFileSync(join(folder, 'again.srt'), 'utf8').replaceAll('\r\n', '\n').trimEnd()}\n`)
  const key = ({ start, end, lines }: ReadCue): string => JSON.stringify([start, end, lines])
  return again.length === cues.length ? again.filter((cue, at) => key(cue) === key(cues[at] ?? cue)).length : 0
}

const HOUR_S = 3_600
/** Seconds of a word by its letters, and of a pause behind a sentence: 150 words a minute. */
const LETTER_S = 0.07
const PAUSE_S = 0.5
const RUNS = 5

/** Subtitles of an hour of words: the least processor time of five. */
export function benchHour(say: Say): void {
  const words = hourOfWords()
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage()
    const { cues } = cuesOf(words, { language: 'en', duration: HOUR_S })
    const file = srt(cues)
    const { user, system } = process.cpuUsage(before)
    if (readSrt(file).length !== cues.length) throw new Error('the file has other subtitles than were made')
    return (user + system) / 1_000
  })
  say(row(`subtitles of an hour of ${String(words.length)} words, processor time`, Math.min(...times), { most: 200, unit: 'ms' }))
}

function hourOfWords(): SpokenWord[] {
  const draw = random(1)
  const words: SpokenWord[] = []
  for (let [time, speaker] = [0.5, 0]; time < HOUR_S - 10; time += PAUSE_S, speaker = draw.whole(0, 1))
    for (const text of draw.pick(REMARKS).split(' ')) {
      const end = time + LETTER_S * (text.length + 1)
      words.push({ text, start: time, end: end - 0.02, confidence: 0.9, speaker })
      time = end
    }
  return words
}
