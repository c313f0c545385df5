import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWav } from '../../../plugins/speech/sound/wav.js'
import { engineSeconds } from '../engines.js'
import { median, row, type Say } from '../files/figure.js'
import { quantile } from '../neighbours/figures.js'
import { SENTENCES } from './sentences.js'
import { speech, synthesized, type Synthesized } from './synthesized.js'
import { type Heard, heardOf, wordErrors } from './words.js'
import { transcript, withSpeech, written, type SpeechWorld } from './world.js'

/** Fifty sentences that a gateway speaks, by the neural voice and by eSpeak NG, heard back by Whisper base. `save` is a folder for the sounds, empty for none. */
export async function benchHeardBack(say: Say, { save, each }: { readonly save: string; readonly each: boolean }): Promise<void> {
  await withSpeech({}, async (world) => {
    // The first question starts the engine.
    await speech(world, 'Hello.', 'voice')
    const { result: voice, seconds } = await engineSeconds(world.pid, 'speech/engine/', () => synthesized(world, 'voice'))
    const espeak = await synthesized(world, 'espeak-ng')
    const length = voice.reduce((sum, sound) => sum + secondsOf(sound), 0)
    say(row('voice: processor time of its process for a second of speech', seconds / length, { most: 0.35, unit: 's' }))
    for (const [name, spoken, goal] of [
      ['voice', voice, {}],
      ['espeak-ng', espeak, { most: 150 }],
    ] as const) {
      const times = spoken.map(({ ms }) => ms)
      say(row(`${name}: a sentence, the whole call, median`, median(times), { ...goal, unit: 'ms' }))
      say(row(`${name}: a sentence, p95`, quantile(times, 0.95), { unit: 'ms' }))
    }
    for (const [name, spoken, goal] of [
      ['voice', voice, { most: 7 }],
      ['espeak-ng', espeak, {}],
    ] as const) {
      if (save !== '') saved(join(save, name), spoken)
      const heard = await heardBack(world, { name, spoken }, each ? say : () => undefined)
      const count = String(SENTENCES.length)
      say(row(`${name}: words that Whisper base hears wrong in ${count} sentences`, wordErrors(heard), { ...goal, unit: '%' }))
    }
  })
}

/** Without a language it is base that listens: the English model is for calls that say English. */
async function heardBack(
  world: SpeechWorld,
  { name, spoken }: { readonly name: string; readonly spoken: readonly Synthesized[] },
  say: Say,
): Promise<Heard[]> {
  const found: Heard[] = []
  for (const [at, { bytes, format, text, heard }] of spoken.entries()) {
    const noted = await transcript(world, written(world.folder, `${name}-${String(at)}.${format}`, bytes), 'auto')
    const each = heardOf(heard, noted)
    found.push(each)
    if (each.wrong > 0) say(`  ${String(each.wrong)} of ${String(each.of)}: ${text} > ${noted}`)
  }
  return found
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
