import { Fault, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { mediaConvert } from '../../media/contract.js'
import type { SpeechOutput } from '../contract.js'
import { readMp3 } from './mp3.js'
import { readWav, writeWav, type Wav } from './wav.js'

/** Two thousand characters are about two and a half minutes: 27 MB in WAV of 48 kHz and two channels. */
export const MOST_BYTES = 32 * 1024 * 1024
/** The loudest sample of what counts as silence: -60 dB below the loudest there is. */
const SILENCE = 32
/** Shorter sounds, in seconds, say nothing. */
const LEAST_SECONDS = 0.05

type Tools = Pick<ProviderContext, 'call' | 'has' | 'scratch'>

interface Source {
  /** The model or voice, as the caller is told. */
  readonly voice_model: string
  /** Whose sound it is: what a vendor sends that is no speech is its failure (`broken`), what a program here makes of a text is not (`missing`). */
  readonly by: 'vendor' | 'program'
}

/**
 * What a provider answers: a sound that is whole, audible and MP3 or WAV, with the rate that it has itself. Another form is made into WAV where ffmpeg is
 * there. Throws for anything else, so that the next provider is asked.
 */
export async function spoken(ctx: Tools, file: ScratchFile, { voice_model, by }: Source): Promise<SpeechOutput> {
  const refused = (why: string): Fault => new Fault(by === 'vendor' ? 'broken' : 'missing', `The speech ${why}.`)
  if (file.size > MOST_BYTES) throw refused('is longer than an answer may be')
  const bytes = await ctx.scratch.bytes(file, MOST_BYTES)
  const wav = readWav(bytes)
  if (wav !== null) {
    assertAudible(wav, refused)
    const made = wav.sized ? file : await ctx.scratch.write(writeWav(wav, wav.channels))
    return { file: made, format: 'wav', sample_rate: wav.rate, voice_model }
  }
  const mp3 = readMp3(bytes)
  const isWav = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'RIFF'
  if (!ctx.has(mediaConvert)) {
    if (mp3 === null)
      throw refused(isWav ? 'is cut short or in a form that cannot be read' : 'is in a form that cannot be read without ffmpeg')
    return { file, format: 'mp3', sample_rate: mp3.rate, voice_model }
  }
  const decoded = await decodedWav(ctx, file, refused)
  assertAudible(decoded.wav, refused)
  if (mp3 === null) return { file: decoded.file, format: 'wav', sample_rate: decoded.wav.rate, voice_model }
  await ctx.scratch.remove(decoded.file)
  return { file, format: 'mp3', sample_rate: mp3.rate, voice_model }
}

/** Throws for silence, and for what is too short to be a word. */
function assertAudible({ rate, channels, samples }: Wav, refused: (why: string) => Fault): void {
  if (samples.length / (rate * channels) < LEAST_SECONDS) throw refused('is empty')
  if (!samples.some((sample) => sample > SILENCE || sample < -SILENCE)) throw refused('is silent')
}

async function decodedWav(
  ctx: Tools,
  file: ScratchFile,
  refused: (why: string) => Fault,
): Promise<{ readonly file: ScratchFile; readonly wav: Wav }> {
  const made = await ctx.call(mediaConvert, { file, to: 'wav' }).catch((error: unknown) => {
    if (!Fault.is(error) || error.kind === 'busy') throw error
    throw new Fault(refused('').kind, 'The speech cannot be played.', { cause: error })
  })
  const wav = readWav(await ctx.scratch.bytes(made.file, 2 * MOST_BYTES))
  if (wav === null) throw refused('cannot be played')
  return { file: made.file, wav }
}
