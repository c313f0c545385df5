import { Fault, type ProviderContext, type ScratchFile } from '../../../../core/sdk/index.js'
import { leftOut } from '../../result.js'
import { failureOf, textOf } from '../failure.js'
import { PICTURES, type PictureFormat } from './formats.js'
import { limitArgs } from './limits.js'
import { policy } from './policy.js'

const CONVERT = 'convert-im6.q16'
const IDENTIFY = 'identify-im6.q16'
const SOURCE = 'source'
const RESULT = 'result'
const POLICY = 'policy.xml'
const MIB = 1024 * 1024
const WALL_MS = 70_000
const MEMORY_MB = 768
const DISK_MB = 640
const MOST_FRAMES = 300
const ANIMATED: readonly string[] = ['gif', 'webp', 'mng']
const PAGED: readonly string[] = ['tiff', 'bigtiff', 'dcx']
const SIZED: readonly string[] = ['ico', 'cur']

interface Frame {
  readonly width: number
  readonly height: number
}

/**
 * Converts one picture to another format, with a file for each page when the target holds only one. Throws Fault
 * `invalid` for a file that cannot be read, `missing` for a wrong result.
 */
export async function imagemagickFiles(
  ctx: ProviderContext,
  { file, from, to }: { file: ScratchFile; from: string; to: string },
): Promise<ScratchFile[]> {
  const [source, target] = [PICTURES[from], PICTURES[to]]
  if (source === undefined || target === undefined || target.writes === false)
    throw new Fault('broken', `ImageMagick does not make ${to} of ${from}.`)
  const frames = await framesOf(ctx, { file, from, format: source })
  if (frames.length > MOST_FRAMES) throw new Fault('invalid', `The file has more than ${MOST_FRAMES} pictures.`, { loc: ['file_url'] })
  ctx.progress('converting', to)
  const pair = { from, to, source, target }
  if (frames.length > 1 && !takesAll(pair, frames)) ctx.note(leftOut(frames.length, SIZED.includes(from) ? 'largest' : 'first'))
  const result = await ctx.exec(CONVERT, wordsOf(pair, frames), {
    ...isolated(file, [source, target]),
    collect: { maxFiles: MOST_FRAMES, maxBytes: DISK_MB * MIB, into: 'scratch' },
  })
  const made = result.scratchFiles.filter(({ name }) => name.startsWith(RESULT)).sort((one, other) => (one.name < other.name ? -1 : 1))
  if (result.code !== 0 || made.length === 0 || made.some(({ file: { size } }) => size === 0)) throw refused(ctx, result, from)
  const files = made.map(({ file: each }) => each)
  const first = files[0]
  if (first !== undefined) await assertMade(ctx, { file: first, to, target })
  return files
}

interface Pair {
  readonly from: string
  readonly to: string
  readonly source: PictureFormat
  readonly target: PictureFormat
}

/** Whether the result contains all pictures of the source, in one file or one file each. */
function takesAll({ from, to, target }: Pair, frames: readonly Frame[]): boolean {
  return frames.length > 1 && (target.frames === true || PAGED.includes(from)) && !SIZED.includes(to)
}

/** Arguments of convert. Transparency becomes white when the target has none. */
function wordsOf(pair: Pair, frames: readonly Frame[]): string[] {
  const { from, source, target } = pair
  const all = takesAll(pair, frames)
  const picked = all ? '' : `[${String(SIZED.includes(from) ? largest(frames) : 0)}]`
  return [
    ...limitArgs(),
    `${source.coder}:${SOURCE}${picked}`,
    ...(all && ANIMATED.includes(from) ? ['-coalesce'] : []),
    '-auto-orient',
    ...(target.alpha === true ? [] : ['-background', 'white', '-alpha', 'remove', '-alpha', 'off']),
    ...(target.args ?? []),
    `${target.coder}:${all && target.frames !== true ? `${RESULT}-%04d` : RESULT}`,
  ]
}

function largest(frames: readonly Frame[]): number {
  const areas = frames.map(({ width, height }) => width * height)
  return areas.indexOf(Math.max(...areas))
}

async function framesOf(
  ctx: ProviderContext,
  { file, from, format }: { file: ScratchFile; from: string; format: PictureFormat },
): Promise<Frame[]> {
  const result = await ctx.exec(
    IDENTIFY,
    [...limitArgs(), '-format', '%w %h\\n', `${format.coder}:${SOURCE}${format.frames === true ? '' : '[0]'}`],
    isolated(file, [format]),
  )
  const frames = [...textOf(result.stdout).matchAll(/^(\d+) (\d+)$/gm)].map(([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }))
  if (result.code !== 0 || frames.length === 0) throw refused(ctx, result, from)
  return frames
}

/** Verifies the format of a result. */
async function assertMade(
  ctx: ProviderContext,
  { file, to, target }: { file: ScratchFile; to: string; target: PictureFormat },
): Promise<void> {
  const { code, stdout, stderr } = await ctx.exec(
    IDENTIFY,
    [...limitArgs(), '+ping', '-format', '%w %h\\n', `${target.coder}:${SOURCE}[0]`],
    isolated(file, [target]),
  )
  if (code === 0 && /^\d+ \d+$/m.test(textOf(stdout))) return
  throw new Fault('missing', `ImageMagick made a file that is no ${to} picture.`, { internal: textOf(stderr).slice(-500) })
}

function isolated(file: ScratchFile, formats: readonly PictureFormat[]) {
  const rules = policy(formats.flatMap(({ coder, uses = [] }) => [coder, ...uses]))
  return {
    files: [
      { name: SOURCE, data: file },
      { name: POLICY, data: Buffer.from(rules) },
    ],
    env: { MAGICK_CONFIGURE_PATH: '/job', MAGICK_THREAD_LIMIT: '2' },
    timeoutMs: WALL_MS,
    memoryMb: MEMORY_MB,
    diskMb: DISK_MB,
    processes: 16,
  }
}

function refused(ctx: ProviderContext, result: Parameters<typeof failureOf>[0], from: string): Fault {
  const output = textOf(result.stderr)
  const large = /exceeds limit|resources exhausted|width or height|time limit|too many/i.test(output)
  const why = large ? 'The picture has more pixels, or takes more time or memory, than a picture may.' : null
  return failureOf(result, { from, timeLeft: ctx.timeLeft(), why })
}
