import { Fault, SchemaCompiler, Type, type ProviderContext } from '../../core/sdk/index.js'
import type { Answer, Question, SpokenWord } from './contract.js'
import { speakersEngine } from './speakers-engine.js'
import { HEAD_BYTES, type Range, samplesAt, samplesOf } from './wav.js'
import { numberedSpeakers } from './words.js'

/** Length of a window of the encoder, and the minimum distance between two, in seconds. */
const WINDOW_S = 1.6
const STEP_S = 0.4
/** Maximum windows of a recording: in a long one they are farther apart. */
const MOST_WINDOWS = 2_500
/** Samples passed to the encoder at once, in seconds: 9.6 MB. */
const PART_S = 300
/** Words with a shorter gap are one stretch of speech. */
const STRETCH_S = 0.4
/** A single word between two of another speaker is theirs when it is not longer. */
const ISLAND_S = 0.4

const labelled = new SchemaCompiler().compile(Type.Object({ speakers: Type.Array(Type.Integer({ minimum: 0 })) }))

/**
 * The words of an answer with their speakers, by the voice around each. The answer unchanged when the encoder is not
 * installed, or the time is too short.
 */
export async function withSpeakers(answer: Answer, { audio }: Question, context: ProviderContext): Promise<Answer> {
  const starts = windowsOf(answer.words, audio.duration)
  if (starts.length === 0) return answer
  try {
    const labels = await labelsOf(starts, audio, context)
    const speakers = numberedSpeakers(withoutIslands(answer.words, voted(answer.words, starts, labels)))
    return { ...answer, words: answer.words.map((word, at) => ({ ...word, speaker: speakers[at] ?? null })) }
  } catch (error) {
    if (!Fault.is(error) || (error.kind !== 'broken' && error.kind !== 'missing')) throw error
    context.log('speakers are not separated', { reason: error.internal ?? error.message })
    return answer
  }
}

/** Start times of windows in seconds: within the stretches of speech, in short ones one in the middle. */
export function windowsOf(words: readonly SpokenWord[], duration: number): number[] {
  const stretches: Range[] = []
  for (const { start, end } of words) {
    const last = stretches.at(-1)
    if (last !== undefined && start - last.to < STRETCH_S) stretches[stretches.length - 1] = { from: last.from, to: Math.max(last.to, end) }
    else stretches.push({ from: start, to: end })
  }
  const spoken = stretches.reduce((sum, { from, to }) => sum + to - from, 0)
  const step = Math.max(STEP_S, spoken / MOST_WINDOWS)
  const latest = Math.max(0, duration - WINDOW_S)
  return stretches.flatMap(({ from, to }) => {
    const count = Math.max(1, Math.floor((to - from - WINDOW_S) / step + 1e-6) + 1)
    const first = count === 1 ? (from + to - WINDOW_S) / 2 : from
    return Array.from({ length: count }, (_, at) => Math.round(Math.min(latest, Math.max(0, first + at * step)) * 100) / 100)
  })
}

async function labelsOf(starts: readonly number[], audio: Question['audio'], context: ProviderContext): Promise<readonly number[]> {
  const engine = await context.use(speakersEngine)
  const parts: { readonly range: Range; readonly windows: number[] }[] = []
  for (const start of starts) {
    const last = parts.at(-1)
    if (last !== undefined && start + WINDOW_S <= last.range.to) last.windows.push(start - last.range.from)
    else parts.push({ range: { from: start, to: Math.min(audio.duration, start + PART_S) }, windows: [0] })
  }
  const offset = samplesAt(await context.scratch.head(audio.file, HEAD_BYTES)) ?? 0
  const vectors: Uint8Array[] = []
  const ranges = parts.map(({ range }) => range)
  for await (const samples of samplesOf(context.scratch.read(audio.file), offset, ranges)) {
    const windows = parts[vectors.length]?.windows ?? []
    const { bytes } = await engine.ask(context, { input: { work: 'embed', windows }, bytes: samples })
    vectors.push(bytes)
    context.progress('separating speakers', undefined, vectors.length, parts.length)
  }
  const { result } = await engine.ask(context, { input: { work: 'cluster' }, bytes: Buffer.concat(vectors) })
  if (!labelled.check(result) || result.speakers.length !== starts.length)
    throw new Fault('broken', 'The speaker encoder answered in an unknown format.')
  return result.speakers
}

/** For each word the speaker of most windows over it; without any, that of the nearest. */
function voted(words: readonly SpokenWord[], starts: readonly number[], labels: readonly number[]): number[] {
  let first = 0
  return words.map(({ start, end }) => {
    const middle = (start + end) / 2
    while (first < starts.length - 1 && (starts[first] ?? 0) + WINDOW_S < middle) first++
    const votes = new Map<number, number>()
    for (let at = first; at < starts.length && (starts[at] ?? 0) <= middle; at++) {
      const apart = Math.abs((starts[at] ?? 0) + WINDOW_S / 2 - middle)
      const label = labels[at] ?? 0
      votes.set(label, (votes.get(label) ?? 0) + Math.max(0.01, 1 - apart / WINDOW_S))
    }
    const best = [...votes].reduce<readonly [number, number] | null>(
      (most, vote) => (most === null || vote[1] > most[1] ? vote : most),
      null,
    )
    return best?.[0] ?? labels[nearest(starts, first, middle)] ?? 0
  })
}

function nearest(starts: readonly number[], at: number, middle: number): number {
  const apart = (index: number): number => Math.abs((starts[index] ?? Infinity) + WINDOW_S / 2 - middle)
  return at > 0 && apart(at - 1) < apart(at) ? at - 1 : at
}

function withoutIslands(words: readonly SpokenWord[], speakers: readonly number[]): number[] {
  return speakers.map((speaker, at) => {
    const [before, after, word] = [speakers[at - 1], speakers[at + 1], words[at]]
    const isIsland = before !== undefined && before === after && before !== speaker
    return isIsland && word !== undefined && word.end - word.start <= ISLAND_S ? before : speaker
  })
}
