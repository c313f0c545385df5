import { Fault, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import type { Answer, Question, Recording } from './contract.js'
import { joined, type Part } from './join.js'
import { HEAD_BYTES, type Range, samplesAt, samplesOf, wavHeader } from './wav.js'

/** Overlap of parts in seconds when there is no pause to cut at. */
const OVERLAP_S = 4
/** Share of the maximum length before which no cut is made. */
const EARLIEST = 0.5

interface PieceOptions {
  /** Longest piece in seconds. */
  readonly mostSeconds: number
  /** Pieces processed in parallel. */
  readonly atOnce: number
}

type Context = Pick<ProviderContext, 'scratch' | 'progress'>

/**
 * Ranges of a recording of at most so many seconds, cut in the middle of the longest pause of the later half of each;
 * without one, ranges overlap. Together they cover the whole recording.
 */
export function cuts({ duration, pauses }: Pick<Recording, 'duration' | 'pauses'>, mostSeconds: number): Range[] {
  const ranges: Range[] = []
  let from = 0
  while (duration - from > mostSeconds) {
    const [earliest, latest] = [from + mostSeconds * EARLIEST, from + mostSeconds]
    const within = pauses
      .map(({ start, end }) => ({ start: Math.max(start, earliest), end: Math.min(end, latest) }))
      .filter(({ start, end }) => end > start)
    const longest = within.reduce<(typeof within)[number] | null>(
      (best, pause) => (best === null || pause.end - pause.start > best.end - best.start ? pause : best),
      null,
    )
    const cut = thousandths(longest === null ? latest : (longest.start + longest.end) / 2)
    ranges.push({ from, to: cut })
    from = longest === null ? thousandths(cut - Math.min(OVERLAP_S, mostSeconds / 4)) : cut
  }
  return [...ranges, { from, to: duration }]
}

const thousandths = (seconds: number): number => Math.round(seconds * 1_000) / 1_000

/**
 * Transcribes a recording in pieces, some in parallel, and joins the results. A piece without speech adds nothing;
 * null when no piece has words. The first Fault of a piece ends the rest. A recording that fits in one piece is
 * passed unchanged.
 */
export async function inPieces(
  { audio }: Question,
  context: Context,
  { mostSeconds, atOnce }: PieceOptions,
  transcribe: (file: ScratchFile, range: Range) => Promise<Answer | null>,
): Promise<Answer | null> {
  const ranges = cuts(audio, mostSeconds)
  if (ranges.length === 1) {
    const answer = await transcribe(audio.file, { from: 0, to: audio.duration })
    return answer === null ? null : joined([{ from: 0, to: audio.duration, answer }], audio.duration)
  }
  const parts: Part[] = []
  const pieces = piecesOf(audio.file, context, ranges)
  let done = 0
  let failed = false
  const work = async (): Promise<void> => {
    for (let next = await pieces.next(); next.done !== true && !failed; next = await pieces.next()) {
      const { file, range } = next.value
      try {
        const answer = await transcribe(file, range)
        if (answer !== null) parts.push({ ...range, answer })
      } catch (error) {
        failed = true
        throw error
      }
      await context.scratch.remove(file)
      context.progress('transcribing', undefined, ++done, ranges.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, ranges.length) }, work))
  } finally {
    await pieces.return(undefined)
  }
  if (parts.length === 0) return null
  return joined(
    parts.sort((one, other) => one.from - other.from),
    audio.duration,
  )
}

/** WAV files of the ranges, created on demand. */
async function* piecesOf(
  file: ScratchFile,
  { scratch }: Context,
  ranges: readonly Range[],
): AsyncGenerator<{ readonly file: ScratchFile; readonly range: Range }> {
  const offset = samplesAt(await scratch.head(file, HEAD_BYTES))
  if (offset === null) throw new Fault('broken', 'The recording was not decoded as it should be.')
  let at = 0
  for await (const samples of samplesOf(scratch.read(file), offset, ranges)) {
    const range = ranges[at++]
    if (range === undefined) return
    yield { file: await scratch.write(Buffer.concat([wavHeader(samples.length), samples])), range }
  }
}
