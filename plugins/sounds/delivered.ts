import { Fault, type ProviderContext, type ScratchFile, type Static } from '../../core/sdk/index.js'
import { mediaConvert, mediaProbe } from '../media/contract.js'
import type { SoundInput, SoundOutput } from './contract.js'
import { FORMATS, type Format, type FormatName } from './formats.js'

/**
 * Accepted types of a sound in a vendor's reply, or at a link. 22 s of WAV take 4 MiB, and models that ignore the
 * length generate some minutes.
 */
export const SOUND_FILE = { kinds: ['audio/*', 'video/*', 'application/ogg'], maxBytes: 64 * 1024 * 1024 }
/** Limit of one vendor in milliseconds, after which the next is called. */
export const HOSTED_MS = 75_000

/** Tolerated difference from the requested length in seconds; MP3 encoders add up to 0.1 s of silence. */
const TOLERANCE = 0.15
/** Minimum length of a sound in seconds. */
const LEAST_SECONDS = 0.05
const MOST_WAV = 16 * 1024 * 1024
const LOSSY = ['mp3', 'aac', 'opus', 'vorbis']

type Tools = Pick<ProviderContext, 'call' | 'has' | 'scratch' | 'note'>
type Probe = Static<typeof mediaProbe.output>

/** The format requested from vendors with ElevenLabs' format names, among those in every plan. */
export function compressed(format: FormatName): 'mp3_44100_128' | 'mp3_22050_32' | 'opus_48000_128' {
  if (format === 'ogg_48000') return 'opus_48000_128'
  return format === 'mp3_22050_32' ? format : 'mp3_44100_128'
}

/**
 * A vendor's file in the requested format, not longer than requested. A shorter sound, or one decoded from a lossy
 * format, is noted. Throws a `broken` Fault for a file without sound, and for one in another format when ffmpeg is
 * not available.
 */
export async function delivered(
  ctx: Tools,
  file: ScratchFile,
  { seconds, output_format }: SoundInput,
  vendor: string,
): Promise<SoundOutput> {
  const format = FORMATS[output_format]
  if (!ctx.has(mediaProbe)) return await unchanged(ctx, file, format, vendor)
  const probe = await ofMedia(ctx.call(mediaProbe, { file }), vendor)
  const sound = probe.streams.find(({ kind }) => kind === 'audio')
  if (sound === undefined) throw silent(vendor)
  const isWhole = probe.duration !== null && probe.duration <= seconds + TOLERANCE
  const fits = isWhole && isOf(format, probe, sound)
  const { kind, rate: sample_rate, channels } = format
  const to = kind === 'pcm' ? 'wav' : kind
  if (!fits && !ctx.has(mediaConvert)) throw otherForm(vendor)
  const made = fits
    ? { file, duration: probe.duration }
    : await ofMedia(ctx.call(mediaConvert, { file, to, duration: seconds, sample_rate, channels }), vendor)
  if (made.file.id !== file.id) await ctx.scratch.remove(file)
  if (made.duration !== null && made.duration < LEAST_SECONDS) throw silent(vendor)
  if (made.duration !== null && made.duration < seconds - TOLERANCE)
    ctx.note(`${vendor} made ${String(round(made.duration))} s of the ${String(seconds)} s that were asked for.`)
  if (to === 'wav' && sound.codec !== null && LOSSY.includes(sound.codec))
    ctx.note(`The sound was decoded from ${sound.codec} of ${vendor}.`)
  const whole = kind === 'pcm' ? await samplesOf(ctx, made.file, vendor) : made.file
  return { file: whole, seconds: made.duration }
}

/** A file that cannot be converted: returned unchanged if its first bytes match the requested format. */
async function unchanged(ctx: Tools, file: ScratchFile, { kind }: Format, vendor: string): Promise<SoundOutput> {
  const seen = await ctx.scratch.kind(file)
  const endings = kind === 'ogg' ? ['ogg', 'oga', 'opus'] : [kind]
  if (seen !== null && endings.includes(seen.extension)) return { file, seconds: null }
  throw otherForm(vendor)
}

function otherForm(vendor: string): Fault {
  return new Fault('broken', `The sound of ${vendor} is in another form, which cannot be changed without ffmpeg.`)
}

function isOf(format: Format, { container }: Probe, { codec, sample_rate, channels }: Probe['streams'][number]): boolean {
  if (sample_rate !== format.rate || channels === null || channels > format.channels) return false
  if (format.kind === 'mp3') return container === 'mp3' && codec === 'mp3'
  if (format.kind === 'wav') return container === 'wav' && codec === 'pcm_s16le'
  return format.kind === 'ogg' && container === 'ogg' && (codec === 'vorbis' || codec === 'opus')
}

/** The samples of a 16-bit WAV file, without the header. */
async function samplesOf({ scratch }: Tools, file: ScratchFile, vendor: string): Promise<ScratchFile> {
  const bytes = Buffer.from(await scratch.bytes(file, MOST_WAV))
  for (let at = 12; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2))
    if (bytes.toString('latin1', at, at + 4) === 'data') {
      await scratch.remove(file)
      return await scratch.write(bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + bytes.readUInt32LE(at + 4))))
    }
  throw silent(vendor)
}

/** An unreadable file of a vendor is the vendor's fault. */
async function ofMedia<T>(work: Promise<T>, vendor: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw new Fault('broken', `${vendor} gave a file that cannot be read as a sound.`, { internal: error.message, cause: error })
  }
}

function silent(vendor: string): Fault {
  return new Fault('broken', `${vendor} gave a file without sound.`)
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
