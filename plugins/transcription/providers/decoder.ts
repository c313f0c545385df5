import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { mediaConvert, mediaProbe } from '../../media/contract.js'
import { decoder as vendor } from '../../_vendors/decoder.js'
import { audioPrepare } from '../contract.js'
import type { Levels } from '../parse/levels.js'
import { isSilent, pausesIn } from '../pauses.js'
import { settings } from '../settings.js'
import { BYTES_PER_SECOND, HEAD_BYTES, type Range, samplesAt, samplesOf } from '../wav.js'

const LEVELS = new URL('../parse/levels.js', import.meta.url)
const MEASURE = { timeoutMs: 30_000, memoryMb: 256 }
/** Seconds measured at once: 19.2 MB. */
const PART_S = 600
/** Minimum length of speech in seconds. */
const LEAST_S = 0.1
/** Minimum sample rate for speech; a few kB at a lower rate could claim to last for hours. */
const LEAST_RATE = 4_000

export const decoder = provider(audioPrepare, {
  vendor,
  settings,
  uses: [mediaProbe, mediaConvert],
  rank: 10,
  run: async ({ file }, context) => {
    const most = context.settings.audio_seconds
    const { duration: declared, streams } = await context.call(mediaProbe, { file })
    const kinds = streams.filter(({ cover }) => !cover).map(({ kind }) => kind)
    const slow = streams.find(
      ({ kind, sample_rate }) => kind === 'audio' && sample_rate !== null && sample_rate > 0 && sample_rate < LEAST_RATE,
    )
    if (!kinds.includes('audio')) throw new Fault('invalid', kinds.includes('video') ? 'The film has no sound.' : 'The file has no sound.')
    if (slow !== undefined)
      throw new Fault('invalid', `The sound has ${String(slow.sample_rate)} samples a second; speech needs ${String(LEAST_RATE)}.`)
    if (declared !== null && declared > most) throw tooLong(most)
    const made = await context.call(mediaConvert, { file, to: 'wav', sample_rate: 16_000, channels: 1, duration: most + 1 })
    const offset = samplesAt(await context.scratch.head(made.file, HEAD_BYTES))
    if (offset === null) throw new Fault('broken', 'The sound was not decoded as it should be.')
    const duration = Math.floor(((made.file.size - offset) / BYTES_PER_SECOND) * 1_000) / 1_000
    if (duration > most) throw tooLong(most)
    if (duration < LEAST_S) throw new Fault('missing', 'The recording is too short to contain speech.')
    const { levels, voiced } = await measured(context, made.file, { offset, duration })
    if (isSilent(levels)) throw new Fault('missing', 'The recording is silent.')
    return { file: made.file, duration, pauses: pausesIn(levels), voiced: voiced > 0 }
  },
})

async function measured(
  context: ProviderContext,
  file: ScratchFile,
  { offset, duration }: { readonly offset: number; readonly duration: number },
): Promise<Levels> {
  const parts: Range[] = []
  for (let from = 0; from < duration; from += PART_S) parts.push({ from, to: Math.min(duration, from + PART_S) })
  const levels: number[] = []
  let voiced = 0
  for await (const samples of samplesOf(context.scratch.read(file), offset, parts)) {
    const part = await context.parse<Levels>(LEVELS, samples, MEASURE)
    for (const level of part.levels) levels.push(level)
    voiced += part.voiced
    context.progress('listening', undefined, Math.round(levels.length / 50), Math.round(duration))
  }
  return { levels, voiced }
}

function tooLong(most: number): Fault {
  return new Fault(
    'invalid',
    `The recording is longer than the ${String(most)} seconds that are transcribed (CAPSTAN_TRANSCRIPTION_AUDIO_SECONDS).`,
  )
}
