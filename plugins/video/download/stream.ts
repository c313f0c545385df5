import { readFile } from 'node:fs/promises'
import { Fault, type ExecResult, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { sourceFile } from '../../_shared/engine-pack.js'
import { programFault } from '../../_shared/program-fault.js'
import type { Container } from '../contract.js'
import type { Info } from '../info/fields.js'
import { isUnread, refusalOf } from '../info/refusals.js'
import { programs } from '../programs.js'
import { jobOf, metaOf, outcomeOf, streamJob, type Job, type Outcome } from './job.js'
import { firstWay, nextWay, type Way } from './plan.js'
import { downloadProgress } from './progress.js'

/** yt-dlp for each stream, ffmpeg and ffprobe. */
const MEMORY_MB = 768
/** One fragment of each stream at a time; the file itself is never on this disk, which is memory. */
const DISK_MB = 192
const PROCESSES = 96
const MOST_LEFT = 1024 * 1024
const SHARE = 0.95
const CODE = sourceFile(import.meta.url, 'fetch.py')

/** Result of a download. */
export interface Downloaded {
  readonly outcome: Outcome
  readonly way: Way
}

/**
 * The bytes of the file, as they arrive from the site, for the store. `done` is called before they end; the programs
 * end when reading stops.
 */
export async function* streamed(
  ctx: ProviderContext,
  { info, container }: { readonly info: Info; readonly container: Container },
  done: (downloaded: Downloaded) => void,
): AsyncGenerator<Uint8Array> {
  const { ytDlp, runtime, readOnly } = await ctx.use(programs)
  const code = await readFile(CODE)
  const start = (job: Job, stored: readonly ScratchFile[] = []): Run => started(ctx, { job, info, code, readOnly, stored })
  for (let way: Way | null = firstWay(info, container); way !== null;) {
    const wanted = { info, container, way, ytDlp: [ytDlp, ...runtime] }
    const stored: ScratchFile[] = []
    try {
      if (way.staged) for (const { id } of info.selected) stored.push(await onDisk(ctx, start(streamJob(wanted, id))))
      const run = start(
        jobOf(
          wanted,
          stored.map((_, at) => `file${String(at)}`),
        ),
        stored,
      )
      const output = await run.output
      try {
        if (output !== null) yield* output
      } finally {
        await Promise.allSettled([run.ended])
      }
      const result = finished(ctx, await run.ended)
      const [outcome, stderr] = [outcomeOf(result), Buffer.from(result.stderr).toString('utf8')]
      const failure = failureOf(outcome, { container, stderr })
      if (failure === null) return done({ outcome, way })
      way = outcome.bytes === 0 && !isBroken(outcome, stderr) ? nextWay(way, outcome.errors) : null
      if (way === null) throw failure
      ctx.log('another way', { messages: outcome.errors.slice(-200) })
    } finally {
      await Promise.all(stored.map((file) => ctx.scratch.remove(file)))
    }
  }
}

interface Run {
  readonly ended: Promise<ExecResult>
  /** Null when the program was not started. */
  readonly output: Promise<AsyncIterable<Uint8Array> | null>
}

interface Started {
  readonly job: Job
  readonly info: Info
  readonly code: Uint8Array
  readonly readOnly: readonly string[]
  readonly stored: readonly ScratchFile[]
}

function started(ctx: ProviderContext, { job, info, code, readOnly, stored }: Started): Run {
  let arrived: (output: AsyncIterable<Uint8Array> | null) => void = () => undefined
  const output = new Promise<AsyncIterable<Uint8Array> | null>((resolve) => (arrived = resolve))
  const ended = ctx.exec('python3', ['-IB', 'fetch.py'], {
    files: [
      { name: 'fetch.py', data: code },
      { name: 'job.json', data: Buffer.from(JSON.stringify(job)) },
      { name: 'info.json', data: info.text },
      { name: 'meta', data: Buffer.from(metaOf(info)) },
      ...stored.map((data, at) => ({ name: `file${String(at)}`, data })),
    ],
    stdout: (bytes) => arrived(bytes),
    collect: { maxFiles: 8, maxBytes: MOST_LEFT },
    onLine: downloadProgress(ctx),
    timeoutMs: Math.max(1, Math.floor(ctx.timeLeft() * SHARE)),
    ...{ network: true, readOnly, memoryMb: MEMORY_MB, diskMb: DISK_MB, processes: PROCESSES },
  })
  void ended.then(
    () => arrived(null),
    () => arrived(null),
  )
  return { ended, output }
}

/** One stream as a file of the call. */
async function onDisk(ctx: ProviderContext, run: Run): Promise<ScratchFile> {
  const output = await run.output
  const file = output === null ? null : await ctx.scratch.write(output)
  const result = finished(ctx, await run.ended)
  const outcome = outcomeOf(result)
  if (file !== null && outcome.end === 'done' && outcome.downloads.every((each) => each === 0)) return file
  throw refusalOf(Buffer.from(result.stderr).toString('utf8'))
}

/** Throws the Fault of a run that was stopped, or killed by a signal. */
function finished(ctx: ProviderContext, result: ExecResult): ExecResult {
  if (result.stopped === null && result.code < 129) return result
  const work = { done: 'downloaded', refused: 'The video cannot be downloaded.', subject: 'The video', timeLeft: ctx.timeLeft() }
  throw programFault(result, work)
}

/** Whether a download failed by itself: one that FFmpeg stops reading ends with a signal, below 0, or with a broken pipe. */
function isBroken({ downloads, ffmpeg }: Outcome, stderr: string): boolean {
  return downloads.some((code) => code > 0) && !((ffmpeg ?? 0) !== 0 && isUnread(stderr))
}

/** The Fault of a file that does not match the request; null for a valid one. */
function failureOf(outcome: Outcome, { container, stderr }: { readonly container: Container; readonly stderr: string }): Fault | null {
  const { end, downloads, ffmpeg, errors } = outcome
  if (end === 'too-large') return refusalOf('ERROR: File is larger than max-filesize')
  if (isBroken(outcome, stderr)) return refusalOf(stderr)
  if (/Stream map .{1,20} matches no streams/.test(errors))
    return new Fault('invalid', container === 'mp4' ? 'The video has no picture.' : 'The video has no sound.', {
      loc: ['format'],
      final: true,
    })
  if ((ffmpeg ?? 0) !== 0 || downloads.some((code) => code !== 0))
    return new Fault('missing', `The delivered file cannot be converted to ${container}.`, { internal: errors })
  if (outcome.bytes === 0) return refusalOf(stderr)
  if (container === 'mp4' ? outcome.hasPicture : outcome.hasSound) return null
  return new Fault('missing', 'The delivered file is not a video.', { internal: `${String(outcome.bytes)} bytes` })
}
