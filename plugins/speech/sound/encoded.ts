import { Fault, type HandlerContext, type ScratchFile } from '../../../core/sdk/index.js'
import { mediaConvert } from '../../media/contract.js'
import type { SpeechOutput } from '../contract.js'
import { readMp3 } from './mp3.js'
import { MOST_BYTES } from './spoken.js'

/** Time limit in milliseconds. */
const ENCODING_MS = 15_000

/** A sound in the form of the answer. */
export interface Encoded {
  readonly bytes: Uint8Array
  readonly format: 'mp3' | 'wav'
  readonly sample_rate: number
}

type Tools = Pick<HandlerContext, 'aside' | 'has' | 'scratch'>

/**
 * Size in bytes, about 12 s, above which a WAV file becomes MP3. A smaller one is unchanged, since encoding MP3 takes
 * longer than most local voices speak.
 */
const MOST_WAV = 512 * 1024

/** A sound in the answer's format: a long one as MP3 if ffmpeg is available; otherwise unchanged, also after a failure, which is noted. */
export async function encoded(ctx: Tools, { file, format, sample_rate }: SpeechOutput): Promise<Encoded> {
  if (format === 'wav' && file.size > MOST_WAV && ctx.has(mediaConvert)) {
    const made = await ctx.aside((side) => asMp3(side, file), {
      withinMs: ENCODING_MS,
      about: 'the MP3 of the speech, which is WAV instead',
    })
    if (made !== null) return made
  }
  return { bytes: await ctx.scratch.bytes(file, MOST_BYTES), format, sample_rate }
}

async function asMp3(ctx: HandlerContext, wav: ScratchFile): Promise<Encoded> {
  const { file } = await ctx.call(mediaConvert, { file: wav, from: 'wav', to: 'mp3' })
  const bytes = await ctx.scratch.bytes(file, MOST_BYTES)
  const mp3 = readMp3(bytes)
  if (mp3 === null) throw new Fault('broken', 'The speech could not be made into MP3.')
  return { bytes, format: 'mp3', sample_rate: mp3.rate }
}
