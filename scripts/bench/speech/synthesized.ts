import { SENTENCES, type BenchSentence } from './sentences.js'
import type { SoundWorld } from './world.js'

/** A sound that a gateway made. */
export interface Sound {
  readonly bytes: Buffer
  readonly format: string
}

/** A sentence as a gateway spoke it. */
export interface Synthesized extends BenchSentence, Sound {
  /** Milliseconds until the answer was there. */
  readonly ms: number
}

/** Has a gateway speak a text by one vendor. Throws for an answer without a sound. */
export async function speech(world: Pick<SoundWorld, 'call'>, text: string, provider: string): Promise<Sound> {
  const { data, detail } = await world.call('/v1/speech/synthesize', { text, provider })
  if (data === null) throw new Error(`${provider} did not speak "${text}": ${detail}`)
  return { bytes: Buffer.from(String(data['audio_base64']), 'base64'), format: String(data['format']) }
}

/** Has a gateway speak the fifty sentences by one vendor, one after the other. */
export async function synthesized(world: Pick<SoundWorld, 'call'>, provider: string): Promise<Synthesized[]> {
  const spoken: Synthesized[] = []
  for (const sentence of SENTENCES) {
    const begun = performance.now()
    const sound = await speech(world, sentence.text, provider)
    spoken.push({ ...sentence, ...sound, ms: performance.now() - begun })
  }
  return spoken
}
