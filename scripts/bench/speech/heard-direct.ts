import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HEAD_BYTES, RATE, samplesAt } from '../../../plugins/transcription/wav.js'
import { row, type Say } from '../files/figure.js'
import { withVoice } from './direct-voice.js'
import { withWhisper } from './direct-whisper.js'
import { SENTENCES } from './sentences.js'
import { type Heard, heardOf, wordErrors } from './words.js'
import { made, written } from './world.js'

/** Sentences that are recognised by tiny.en, as in the part `transcription`. */
const TINY = 25

/** The fifty sentences spoken by the neural voice and recognised one at a time by both models of Whisper, without a gateway and its time limits, for a busy machine. */
export async function benchHeardDirect(say: Say, { each }: { readonly each: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-heard-'))
  try {
    const spoken = await spokenInto(folder)
    await withWhisper(async (listen) => {
      for (const [model, language, most] of [
        ['tiny.en', 'en', TINY],
        ['base', null, SENTENCES.length],
      ] as const) {
        const found: Heard[] = []
        for (const [at, samples] of spoken.slice(0, most).entries()) {
          const { text = '', heard = '' } = SENTENCES[at] ?? {}
          const noted = (await listen(samples, samples.length / 2 / RATE, language))?.text ?? ''
          const errors = heardOf(heard, noted)
          found.push(errors)
          if (each && errors.wrong > 0) say(`  ${model}: ${String(errors.wrong)} of ${String(errors.of)}: ${text} > ${noted}`)
        }
        const what = `voice: words that Whisper ${model} gets wrong in ${String(most)} sentences, one at a time`
        say(row(what, wordErrors(found), model === 'base' ? { most: 7, unit: '%' } : { unit: '%' }))
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Samples of each sentence, of 16 bits at 16,000 a second. */
async function spokenInto(folder: string): Promise<Buffer[]> {
  return await withVoice(async (speak) => {
    const all: Buffer[] = []
    for (const [at, { text }] of SENTENCES.entries()) {
      const file = written(folder, `${String(at)}-voice.wav`, await speak(text))
      const wav = readFileSync(join(folder, made(folder, `${String(at)}.wav`, '-i', file)))
      all.push(wav.subarray(samplesAt(wav.subarray(0, HEAD_BYTES)) ?? wav.length))
    }
    return all
  })
}
