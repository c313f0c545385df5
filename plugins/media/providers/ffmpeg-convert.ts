import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { progressLines } from '../progress-lines.js'
import { FFMPEG_LOSSES, ffmpeg as vendor } from '../../_vendors/ffmpeg.js'
import { noteLosses } from '../../_vendors/losses.js'
import { mediaConvert, mediaProbe } from '../contract.js'
import { isSubtitles, targetOf } from '../formats/table.js'
import { assertPixels, assertSucceeded, guarded, MOST_PIXELS, SOURCE } from '../input.js'
import { CUE_MARKS, type Subtitles } from '../parse/subtitles.js'
import { conversion } from '../targets.js'

const RESULT = 'result'
const MIB = 1024 * 1024
/** Results are held in memory. */
const RESULT_MB = 512
const MEMORY_MB = RESULT_MB + 512
/** FFmpeg stops writing near this size, and then adds the format's trailer, such as an index. */
const RESULT_BYTES = (RESULT_MB - 16) * MIB
/** Share of the remaining time of the call, so that another engine can follow. */
const SHARE = 0.8

/** Larger subtitle files are refused. */
const MOST_SUBTITLES = 8 * MIB
const PARSE_MS = 10_000
const SUBTITLES = new URL('../parse/subtitles.js', import.meta.url)

const NAMES = { audio: 'sound', video: 'picture', subtitle: 'subtitles' } as const

/** Microseconds of the result so far, in the output of `-progress` (https://ffmpeg.org/ffmpeg.html); `N/A` before the first. */
const OUT_TIME = /^out_time_us=(?<done>\d+)$/

export const ffmpeg = provider(mediaConvert, {
  vendor,
  uses: [mediaProbe],
  rank: 10,
  run: async (input, context) => {
    const { file, from, start, to } = input
    const target = targetOf(to)
    const source = await context.call(mediaProbe, { file, from })
    if (!source.streams.some(({ kind, cover }) => kind === target.kind && !cover))
      throw new Fault('invalid', `The file has no ${NAMES[target.kind]}.`)
    if (target.kind === 'video') assertPixels(source.streams.filter(({ cover }) => !cover))
    const total = Math.max(0, Math.min(input.duration ?? Infinity, (source.duration ?? Infinity) - start))
    const reading = [...(start === 0 ? [] : ['-ss', String(start)]), '-max_pixels', String(MOST_PIXELS), '-i', SOURCE]
    const wanted = [...guarded(from), ...reading, ...conversion(target, input), '-fs', String(RESULT_BYTES), RESULT]
    const subtitles = isSubtitles(source.container) ? await decoded(context, file, source.container) : null
    const result = await context.exec('ffmpeg', ['-nostdin', '-v', 'error', '-nostats', '-progress', 'pipe:1', ...wanted], {
      files: [{ name: SOURCE, data: subtitles === null ? file : Buffer.from(subtitles.text) }],
      timeoutMs: Math.floor(context.timeLeft() * SHARE),
      memoryMb: MEMORY_MB,
      diskMb: RESULT_MB,
      collect: { maxFiles: 1, maxBytes: RESULT_MB * MIB, into: 'scratch' },
      onLine: progressLines(context, { step: 'converting', detail: to, line: OUT_TIME, scale: 1e-6, total }),
    })
    assertSucceeded(result, { done: 'converted', timeLeft: context.timeLeft() })
    const made = result.scratchFiles.find(({ name }) => name === RESULT)?.file
    if (made === undefined || made.size === 0) throw new Fault('invalid', 'The file has nothing to make that of: no such sound or picture.')
    if (made.size >= RESULT_BYTES)
      throw new Fault('missing', `What is made of the file is larger than the ${RESULT_BYTES / MIB} MiB that it may be.`, { costly: true })
    noteLosses(context, result.stderr, FFMPEG_LOSSES)
    if (subtitles !== null && start === 0 && input.duration === null)
      await noteLostCues(context, { made, before: subtitles.cues, to: target.demuxer ?? to })
    const duration = target.demuxer === null ? null : (await context.call(mediaProbe, { file: made, from: to })).duration
    return { file: made, content_type: target.type, duration }
  },
})

/** FFmpeg treats every text as UTF-8, and drops invalid subtitles. */
async function decoded(context: ProviderContext, file: ScratchFile, demuxer: string): Promise<Subtitles> {
  if (file.size > MOST_SUBTITLES) throw new Fault('invalid', `Subtitles of more than ${MOST_SUBTITLES / MIB} MiB are not converted.`)
  return await context.parse<Subtitles>(SUBTITLES, file, { timeoutMs: PARSE_MS, args: { demuxer } })
}

/** FFmpeg stops silently at content that it cannot parse. */
async function noteLostCues(
  context: ProviderContext,
  { made, before, to }: { readonly made: ScratchFile; readonly before: number | null; readonly to: string },
): Promise<void> {
  const mark = CUE_MARKS[to]
  if (before === null || mark === undefined) return
  let [after, rest] = [0, '']
  for await (const chunk of context.scratch.read(made)) {
    const pieces = `${rest}${Buffer.from(chunk).toString('latin1')}`.split(mark)
    after += pieces.length - 1
    rest = (pieces.at(-1) ?? '').slice(1 - mark.length)
  }
  if (after < before) context.note(`${before - after} of ${before} subtitles were left out: they have no text, or cannot be read.`)
}
