import type { Clock } from '../runtime/clock.js'
import { Fault, type ProgramFile } from '../sdk/index.js'
import { callFilesOf } from './collect.js'
import { isInMemory } from './input-files.js'
import { TAKEN } from './inner-script.js'
import type { SandboxJob } from './job.js'
import { streamedTarOf, tarSize, type StreamedEntry } from './tar-writer.js'
import type { RunOptions } from './types.js'

const MIB = 1024 * 1024
/** MiB of the job folder that a program itself uses, such as LibreOffice's profile. */
const OWN_MB = 16
/** Longest time for a sandbox to take its job, and more for each MiB of it: beyond that it counts as hung. */
const TAKE_MS = 5_000
const TAKE_MS_PER_MIB = 100
const CALL_FILES = '.tmp/files'

/** A job that is handed to a warm sandbox. */
interface HandedJob {
  /** Starts when the sandbox has taken the job. */
  readonly job: SandboxJob
  /** Standard input: the job, then the input of its program. */
  readonly stdin: AsyncIterable<Uint8Array>
  /** True once the sandbox has received the whole job; nothing of it runs before. */
  readonly taken: () => boolean
}

/** Throws Fault `invalid` when the files do not fit a job folder of `diskMb` MiB beside the program's own files. */
export function assertFit({ files = [] }: RunOptions, diskMb: number): void {
  const most = Math.max(0, diskMb - OWN_MB)
  const bytes = files.reduce((sum, { data }) => sum + (data instanceof Uint8Array ? data.length : data.size), 0)
  if (bytes > most * MIB) throw new Fault('invalid', `The files are larger than the ${most} MiB that this program accepts.`)
}

/** Hands a job to a ready sandbox. Throws TypeError for a file of another call. */
export function handOver(clock: Clock, job: SandboxJob, about: { words: string; options: RunOptions }): HandedJob {
  const { options } = about
  const files = (options.files ?? []).filter(isInMemory)
  const streamed = streamedEntries(options)
  const words = Buffer.from(about.words)
  const size = tarSize(files, streamed)
  let taken = false
  let listener: Parameters<SandboxJob['onChannel']>[0] = () => undefined
  let head = ''
  const stop = clock.after(TAKE_MS + (size / MIB) * TAKE_MS_PER_MIB, () => job.kill())
  const accepted = new Promise<boolean>((resolve) => {
    job.onChannel((chunk) => {
      if (taken) return listener(chunk)
      head += chunk.toString('latin1')
      if (head.length < TAKEN.length) return
      taken = true
      resolve(true)
      const rest = Buffer.from(head.slice(TAKEN.length), 'latin1')
      return rest.length > 0 ? listener(rest) : undefined
    })
    void job.ended.then(() => resolve(taken))
  }).finally(stop)
  const stdin = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${words.length} ${size} ${options.collect === undefined ? 0 : 1}\n`)
    yield words
    yield* streamedTarOf(files, streamed)
    if (options.stdin === undefined || !(await accepted)) return
    if (options.stdin instanceof Uint8Array) yield options.stdin
    else yield* options.stdin
  }
  return {
    job: {
      ...job,
      onChannel: (given) => void (listener = given),
      started: accepted,
      ended: job.ended.then((end) => ({ ...end, started: taken })),
    },
    stdin: stdin(),
    taken: () => taken,
  }
}

/** Files of the call, which the job sees as links, as it does where they are mounted. */
function streamedEntries(options: RunOptions): StreamedEntry[] {
  return (options.files ?? []).filter(isScratch).flatMap(({ name, data }, index) => [
    { name: `${CALL_FILES}/${index}`, size: data.size, data: callFilesOf(options).read(data) },
    { name, to: `/job/${CALL_FILES}/${index}` },
  ])
}

function isScratch(file: ProgramFile): file is ProgramFile & { readonly data: { readonly id: string; readonly size: number } } {
  return !isInMemory(file)
}
