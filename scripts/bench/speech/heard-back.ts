import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWav } from '../../../plugins/speech/sound/wav.js'
import { engineSeconds } from '../engines.js'
import { median, row, type Say } from '../files/figure.js'
import { quantile } from '../neighbours/figures.js'
import { SENTENCES } from './sentences.js'
import { speech, synthesized, type Synthesized } from './synthesized.js'
import { type Heard, heardOf, wordErrors } from './words.js'
import { made, transcript, withSpeech, written, type SpeechWorld } from './world.js'

/** Between two sentences of one recording, in seconds. */
const APART_S = 1

interface Options {
  /** A folder for the sounds, empty for none. */
  readonly save: string
  readonly each: boolean
  /** Sentences of one recording that is listened to. */
  readonly together: number
  /** Vendors that speak, of `voice` and `espeak-ng`. */
  readonly by: readonly string[]
}

/** Goals of each vendor: words wrong in percent, and milliseconds of a call. */
const SPEAKERS = [
  ['voice', { most: 7 }, {}],
  ['espeak-ng', {}, { most: 150 }],
] as const

/** Fifty sentences that a gateway speaks, by the neural voice and by eSpeak NG, recognised by Whisper base. */
export async function benchHeardBack(say: Say, { save, each, together, by }: Options): Promise<void> {
  await withSpeech({}, async (world) => {
    for (const [name, errors, milliseconds] of SPEAKERS) {
      if (!by.includes(name)) continue
      // The first question starts the engine.
      await speech(world, 'Hello.', name)
      const { result: spoken, seconds } = await engineSeconds(world.pid, 'speech/engine/', () => synthesized(world, name))
      const length = spoken.reduce((sum, sound) => sum + secondsOf(sound), 0)
      if (name === 'voice')
        say(row('voice: processor time of its process for a second of speech', seconds / length, { most: 0.35, unit: 's' }))
      const times = spoken.map(({ ms }) => ms)
      say(row(`${name}: a sentence, the whole call, median`, median(times), { ...milliseconds, unit: 'ms' }))
      say(row(`${name}: a sentence, p95`, quantile(times, 0.95), { unit: 'ms' }))
      if (save !== '') saved(join(save, name), spoken)
      const heard = await heardBack(world, { name, spoken, together }, each ? say : () => undefined)
      const count = String(SENTENCES.length)
      const how = together === 1 ? `${count} sentences` : `${count} sentences, ${String(together)} in a recording`
      say(row(`${name}: words that Whisper base gets wrong in ${how}`, wordErrors(heard), { ...errors, unit: '%' }))
    }
  })
}

/** Without a language it is base that listens: the English model is for calls that say English. */
async function heardBack(
  world: SpeechWorld,
  { name, spoken, together }: { readonly name: string; readonly spoken: readonly Synthesized[]; readonly together: number },
  say: Say,
): Promise<Heard[]> {
  const found: Heard[] = []
  for (let at = 0; at < spoken.length; at += together) {
    const group = spoken.slice(at, at + together)
    const noted = await transcript(world, inOneRecording(world, `${name}-${String(at)}`, group), 'auto')
    const each = heardOf(group.map(({ heard }) => heard).join(' '), noted)
    found.push(each)
    if (each.wrong > 0) say(`  ${String(each.wrong)} of ${String(each.of)}: ${group.map(({ text }) => text).join(' ')} > ${noted}`)
  }
  return found
}

/** One sentence as it was made, several with silence between them. */
function inOneRecording({ folder }: SpeechWorld, name: string, group: readonly Synthesized[]): string {
  const files = group.map(({ bytes, format }, at) => written(folder, `${name}-${String(at)}.${format}`, bytes))
  const [only] = files
  if (files.length === 1 && only !== undefined) return only
  const padded = files.map((_, at) => `[${String(at)}]aresample=16000,apad=pad_dur=${String(APART_S)}[s${String(at)}]`).join(';')
  const joined = `${files.map((_, at) => `[s${String(at)}]`).join('')}concat=n=${String(files.length)}:v=0:a=1`
  return made(folder, `${name}.wav`, ...files.flatMap((file) => ['-i', file]), '-filter_complex', `${padded};${joined}`)
}

function secondsOf({ bytes, text }: Synthesized): number {
  const wav = readWav(bytes)
  if (wav === null) throw new Error(`the sound of "${text}" is no WAV`)
  return wav.samples.length / wav.rate / wav.channels
}

function saved(folder: string, spoken: readonly Synthesized[]): void {
  mkdirSync(folder, { recursive: true })
  for (const [at, { bytes, format, heard }] of spoken.entries()) {
    const name = join(folder, String(at + 1).padStart(2, '0'))
    writeFileSync(`${name}.${format}`, bytes)
    writeFileSync(`${name}.txt`, `${heard}\n`)
  }
}
