import { access } from 'node:fs/promises'
import { Fault, type ExecResult, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import { programFault } from '../_shared/program-fault.js'
import { SOUND_FONT } from '../_vendors/music.js'
import type { SoundInput, SoundOutput } from './contract.js'
import { FORMATS, type FormatName } from './formats.js'
import { asksForMusic } from './music/vocabulary.js'
import type { Placed, Rendered, Rendering } from './parse/render.js'
import type { SoundOrder } from './piece.js'
import { planOf, type Part, type Plan } from './prompt/plan.js'
import { SAMPLES } from './samples/catalogue.js'
import { pathOf, SAMPLE_FOLDER, sampleFor, stemOf, type SampleChoice } from './samples/choose.js'
import { decodeArgs } from './samples/lay.js'
import { TARGET } from './sound/loudness.js'

/** Without instruments, so that its process starts faster. */
const PLAIN = new URL('./parse/plain.js', import.meta.url)
const WITH_MUSIC = new URL('./parse/with-music.js', import.meta.url)
const RENDERING = { timeoutMs: 60_000, memoryMb: 768 }
const PROGRAM = { timeoutMs: 30_000, memoryMb: 256, diskMb: 32 }
const MOST_BYTES = 16 * 1024 * 1024
/** Loudness deviation in LU that is noted. */
const TOLERANCE = 1
const OTHER_WORDS =
  'Name things such as rain, footsteps, a bell, an engine or a piano. A lower prompt_influence leaves out more words that are not understood; the providers elevenlabs, fal and replicate, with a key of the operator, make other sounds.'

/** The local engine that answers: the one that can make all parts, and `synth` when several can. */
export type Engine = 'samples' | 'music' | 'synth'

type Context = Pick<ProviderContext, 'exec' | 'parseFiles' | 'scratch' | 'note' | 'timeLeft' | 'progress'>

/**
 * The parts of a prompt that this engine can make, in the requested format; null when another engine is responsible.
 * Throws `missing` when too little of the prompt is understood.
 */
export async function madeLocally(input: SoundInput, engine: Engine, ctx: Context): Promise<SoundOutput | null> {
  const [samples, music] = await Promise.all([isThere(SAMPLE_FOLDER), isThere(SOUND_FONT)])
  const planned = planOf<SampleChoice>(input, {
    sample: (order) => (samples ? sampleOf(order) : null),
    music: (prompt) => music && asksForMusic(prompt),
  })
  // The last engine: those that should have answered failed, or are left out by the operator.
  const isLeft = engine === 'synth' && planned !== null && engineOf(planned) !== 'synth'
  const plan = isLeft ? planOf<SampleChoice>(input, { sample: () => null, music: () => false }) : planned
  if (plan === null) throw new Fault('missing', 'Too few words of the prompt name a sound that is made here.', { remedy: OTHER_WORDS })
  if (engineOf(plan) !== engine) return null
  ctx.progress('making the sound')
  const { files, parts } = await decoded(plan, ctx)
  const wanted: Rendering = {
    ...{ parts, steps: plan.steps, seconds: input.seconds, loop: input.loop, format: input.output_format },
    freedom: 1 - input.prompt_influence,
    soundfont: SOUND_FONT,
  }
  const module = parts.some(({ made }) => made.by === 'music') ? WITH_MUSIC : PLAIN
  const { result, file } = await ctx.parseFiles<Rendered>(module, files, { args: wanted, ...RENDERING, maxBytes: MOST_BYTES })
  if (file === null || result.lufs === null) return null
  if (Math.abs(result.lufs - TARGET) > TOLERANCE)
    ctx.note(`The sound is too short and sharp for ${String(TARGET)} LUFS: it has ${result.lufs.toFixed(1)}.`)
  if (plan.unknown.length > 0) ctx.note(`Nothing here fits these words, which were left out: ${plan.unknown.join(', ')}.`)
  const { kind, rate } = FORMATS[input.output_format]
  const isFinished = kind === 'wav' || kind === 'pcm'
  return { file: isFinished ? file : await encoded(file, input.output_format, ctx), seconds: Math.round(input.seconds * rate) / rate }
}

function engineOf({ parts }: Plan<SampleChoice>): Engine {
  if (parts.every(({ made }) => made.by === 'sample')) return 'samples'
  return parts.every(({ made }) => made.by === 'music') ? 'music' : 'synth'
}

/** The recorded sounds of a plan as floats, and the plan with their indexes. */
async function decoded({ parts }: Plan<SampleChoice>, ctx: Context): Promise<{ files: ScratchFile[]; parts: Part<Placed>[] }> {
  const files: ScratchFile[] = []
  const placed: Part<Placed>[] = []
  for (const { made, ...rest } of parts) {
    if (made.by !== 'sample') {
      placed.push({ ...rest, made })
      continue
    }
    placed.push({ ...rest, made: { by: 'sample', sample: { place: files.length, choice: made.sample } } })
    const result = await ctx.exec('ffmpeg', decodeArgs(pathOf(made.sample)), { ...PROGRAM, stdout: 'scratch' })
    if (result.code !== 0 || result.stdoutFile === null) throw failed(result, 'A recorded sound of this machine cannot be read.', ctx)
    files.push(result.stdoutFile)
  }
  return { files, parts: placed }
}

async function encoded(file: ScratchFile, name: FormatName, ctx: Context): Promise<ScratchFile> {
  const { kind, rate, channels, kbits } = FORMATS[name]
  const result = `sound.${kind}`
  const source = ['-f', 's16le', '-ar', String(rate), '-ac', String(channels), '-i', 'sound.pcm']
  const codec = ['-c:a', kind === 'mp3' ? 'libmp3lame' : 'libvorbis', '-b:a', `${String(kbits)}k`]
  // Neither a serial number nor a version, so that the same prompt returns the same bytes.
  const same = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact']
  const ran = await ctx.exec('ffmpeg', ['-nostdin', '-v', 'error', ...source, ...codec, ...same, result], {
    ...PROGRAM,
    files: [{ name: 'sound.pcm', data: file }],
    collect: { maxFiles: 1, maxBytes: MOST_BYTES, into: 'scratch' },
  })
  const made = ran.scratchFiles.find((each) => each.name === result)?.file
  if (ran.code !== 0 || made === undefined) throw failed(ran, 'The sound cannot be encoded.', ctx)
  await ctx.scratch.remove(file)
  return made
}

/** The recorded sound for an order, and the words of its matched name. */
function sampleOf(order: SoundOrder): { sample: SampleChoice; words: string[] } | null {
  const sample = sampleFor(order, SAMPLES)
  if (sample === null) return null
  const names = SAMPLES.find(({ file }) => file === sample.file)?.names ?? []
  const stems = order.words.map(stemOf)
  const fitting = names.map((name) => name.split(' ').map(stemOf)).filter((parts) => parts.every((part) => stems.includes(part)))
  return { sample, words: order.words.filter((word) => fitting.some((parts) => parts.includes(stemOf(word)))) }
}

/** The sounds are generated here, so a program's rejection is not the caller's fault. */
function failed(result: ExecResult, refused: string, ctx: Context): Fault {
  const fault = programFault(result, { done: 'made', refused, subject: 'The sound', timeLeft: ctx.timeLeft() })
  return fault.kind === 'invalid' ? new Fault('broken', refused, fault.internal === undefined ? {} : { internal: fault.internal }) : fault
}

/** Whether a file or folder of a Debian package is installed. */
async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
