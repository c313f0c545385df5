import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cuesOf } from '../../../plugins/subtitles/cues.js'
import { srt } from '../../../plugins/subtitles/work/file.js'
import type { SpokenWord } from '../../../plugins/transcription/contract.js'
import { faultsOf, readSrt, readVtt, type HeardWord, type ReadCue } from '../../../test/support/subtitles.js'
import { row, type Say } from '../files/figure.js'
import { random } from '../invoices/random.js'
import { REMARKS } from './remarks.js'
import type { Talk } from './talks.js'
import { ffmpeg, withSpeech, written, type SpeechWorld } from './world.js'

/** Subtitles of the made talks, in turn SubRip and WebVTT: how many keep the rules, and how many FFmpeg reads as they stand in the file. */
export async function benchSubtitles(say: Say, { talks }: { readonly talks: (world: SpeechWorld) => Promise<Talk[]> }): Promise<void> {
  await withSpeech({}, async (world) => {
    let [all, kept, read, hurried] = [0, 0, 0, 0]
    for (const [at, talk] of (await talks(world)).entries()) {
      const file = written(world.folder, `${talk.name.replaceAll(' ', '-')}.wav`, talk.wav)
      const asked = { audio_url: world.address(file), language: 'en' }
      const format = at % 2 === 0 ? 'srt' : 'vtt'
      const words = await wordsOf(world, asked)
      const { data, notes } = await world.call('/v1/subtitles/generate', { ...asked, format })
      const content = String(data?.['subtitle_content'])
      const cues = format === 'srt' ? readSrt(content) : readVtt(content)
      const faults = faultsOf(cues, words, { fast: notes.length > 0 })
      for (const fault of faults) say(`  ${talk.name}: ${fault}`)
      const named = new Set(faults.map((fault) => /^\d+/.exec(fault)?.[0] ?? 'the file'))
      all += cues.length
      hurried += Number(/^\d+/.exec(notes.join())?.[0] ?? 0)
      kept += named.has('the file') ? 0 : cues.length - named.size
      read += readAsWritten(world.folder, written(world.folder, `talk.${format}`, Buffer.from(content)), cues)
    }
    const count = String(all)
    say(row(`of ${count} subtitles of the talks those that keep the rules`, (100 * kept) / all, { least: 100, unit: '%' }))
    say(row(`of ${count} those that FFmpeg reads with the same times and lines`, (100 * read) / all, { least: 100, unit: '%' }))
    say(row(`of ${count} those that are too short for their text, as metadata.notes says`, hurried, { unit: 'subtitles' }))
  })
}

/** The words that the subtitles are made of, with their speakers: those of utterances, in order. */
async function wordsOf(world: SpeechWorld, asked: Readonly<Record<string, unknown>>): Promise<HeardWord[]> {
  const [single, talk] = [await world.call('/v1/speech/transcribe', asked), await world.call('/v1/audio/transcribe', asked)]
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
