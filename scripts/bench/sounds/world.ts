import { setTimeout as pause } from 'node:timers/promises'
import { furnish } from '../../gateway/furnish.js'
import { post, startGateway } from '../../gateway/start.js'

/** A sound of one channel, 44,100 samples a second, and who made it. */
export interface Made {
  readonly samples: Float32Array
  readonly by: string
}

/** A gateway in which only this machine makes sounds. */
export interface SoundWorld {
  readonly url: string
  /** Process of the gateway. */
  readonly pid: number
  readonly key: string
  /** The sound of a prompt; null where nothing fits. */
  make(prompt: string, seconds: number): Promise<Made | null>
}

const TRIES = 60

export async function withSounds<T>(env: Readonly<Record<string, string>>, work: (world: SoundWorld) => Promise<T>): Promise<T> {
  const gateway = await startGateway({
    upstream: 'http://127.0.0.1:9',
    env: { CAPSTAN_WATERFALL_SOUNDS_GENERATE: 'samples,music,synth', ...env },
  })
  try {
    const [key = ''] = await furnish(gateway, 1)
    const { url, pid } = gateway
    return await work({
      ...{ url, pid, key },
      make: async (prompt, seconds) => await sound({ url, key }, prompt, seconds),
    })
  } finally {
    await gateway.stop()
  }
}

async function sound({ url, key }: Pick<SoundWorld, 'url' | 'key'>, prompt: string, seconds: number): Promise<Made | null> {
  const wanted = { prompt, duration_seconds: seconds, output_format: 'wav_44100' }
  for (let tries = 0; tries < TRIES; tries++) {
    const { status, json } = await post(`${url}/v1/sounds/generate`, key, wanted)
    const { data, error, metadata } = json as {
      readonly data: { readonly audio_base64: string } | null
      readonly error: { readonly type: string; readonly detail: string } | null
      readonly metadata?: { readonly provider_used?: string | null }
    }
    if (data !== null) return { samples: samplesOf(Buffer.from(data.audio_base64, 'base64')), by: metadata?.provider_used ?? '' }
    if (error?.type.endsWith('/no-result') === true) return null
    if (status !== 503) throw new Error(`${prompt}: ${String(status)} ${error?.detail ?? ''}`)
    await pause(1_000)
  }
  throw new Error(`${prompt}: the machine is too busy`)
}

/** Both channels of the gateway's own WAV, whose header has 44 bytes, as one. */
function samplesOf(wav: Buffer): Float32Array {
  const frames = Math.floor((wav.length - 44) / 4)
  return Float32Array.from({ length: frames }, (_, at) => (wav.readInt16LE(44 + at * 4) + wav.readInt16LE(46 + at * 4)) / 65_536)
}
