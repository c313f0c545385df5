import { Fault, type HandlerContext, type ScratchFile } from '../../../core/sdk/index.js'
import { mediaConvert } from '../../media/contract.js'
import type { SpeechOutput } from '../contract.js'
import { readMp3 } from './mp3.js'
import { MOST_BYTES } from './spoken.js'

/** Of the call's time, in milliseconds. */
const ENCODING_MS = 15_000

/** A sound as it is answered. */
export interface Encoded {
  readonly bytes: Uint8Array
  readonly format: 'mp3' | 'wav'
  readonly sample_rate: number
}

type Tools = Pick<HandlerContext, 'aside' | 'has' | 'scratch'>

/** A WAV file of more bytes, some 12 s, becomes MP3. Of less it is answered as it is, since making MP3 takes longer than most local voices speak. */
const MOST_WAV = 512 * 1024

/** A sound in the form of an answer: a long one as MP3 where ffmpeg is there; else, and when that fails, which a remark says, as it is. */
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
