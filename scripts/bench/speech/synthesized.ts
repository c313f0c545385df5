import { SENTENCES, type BenchSentence } from './sentences.js'

/** A sentence as a gateway spoke it. */
export interface Synthesized extends BenchSentence {
  readonly sound: Buffer
  readonly format: string
  readonly provider: string
  /** Milliseconds until the answer was there. */
  readonly ms: number
}

interface Gateway {
  readonly url: string
  readonly key: string
}

/** Has a running gateway speak the fifty sentences by one vendor, one after the other. Throws for an answer that is no success. */
export async function synthesized({ url, key }: Gateway, provider: string): Promise<Synthesized[]> {
  const spoken: Synthesized[] = []
  for (const sentence of SENTENCES) {
    const begun = performance.now()
    const reply = await fetch(`${url}/v1/speech/synthesize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: sentence.text, provider }),
    })
    const answer: unknown = await reply.json()
    const { audio, format } = soundOf(answer)
    if (reply.status !== 200 || audio === null)
      throw new Error(`${sentence.text}: ${String(reply.status)} ${JSON.stringify(answer).slice(0, 300)}`)
    spoken.push({ ...sentence, provider, format, sound: Buffer.from(audio, 'base64'), ms: performance.now() - begun })
  }
  return spoken
}

/** The middle of figures, and the one that nineteen of twenty are below. */
export function middle(figures: readonly number[]): { readonly median: number; readonly p95: number } {
  const sorted = [...figures].sort((one, other) => one - other)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { median: at(0.5), p95: at(0.95) }
}

function soundOf(answer: unknown): { audio: string | null; format: string } {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return { audio: null, format: '' }
  const { data } = answer
  if (typeof data !== 'object' || data === null || !('audio_base64' in data) || !('format' in data)) return { audio: null, format: '' }
  return { audio: typeof data.audio_base64 === 'string' ? data.audio_base64 : null, format: String(data.format) }
}
