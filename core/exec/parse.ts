import { fileURLToPath } from 'node:url'
import type { Cancel } from '../runtime/cancel.js'
import type { ParsedFiles, ParseOptions, ScratchFile } from '../sdk/index.js'
import { Capture, feed } from './streams.js'
import type { SandboxHost } from './host.js'
import type { SandboxJob } from './job.js'
import type { JobOwner, UserLease } from './lease.js'
import type { JobLimits } from './limits.js'
import { MAX_ANSWER, ParseOutput, readAnswer } from './parse-output.js'
import { startLeased } from './resident.js'
import { Supervisor } from './watchdog.js'
import type { ForeignBytes, ParseFilesOptions } from './types.js'
import { codeFolders } from './view.js'

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MEMORY_MB = 512
const MAX_STDERR = 16 * 1024
const IDLE_MS = 60_000
const MAX_SPARES = 4
/** Processor seconds are counted from the start of the spare. */
const CPU_MS = 300_000

interface ReadingProcess {
  readonly key: string
  readonly job: SandboxJob
  readonly lease: UserLease
  readonly limits: JobLimits
  readonly stdout: ParseOutput
  readonly stderr: Capture
  /** Set while in use. */
  onFlood: () => void
  stopIdle: () => void
}

/** One job of a module. */
interface ModuleJob {
  readonly module: URL
  readonly options: ParseOptions
  /** Writes the input of the process. */
  readonly feed: (reader: ReadingProcess, stop: () => void) => { settled(): Promise<void> }
}

/**
 * Sandboxed Node processes that parse foreign bytes: one process per job, with one spare per module kept warm for a
 * minute after its last use. The processor time of a job counts as its account's; a spare starts in the background,
 * since nobody waits for it.
 */
export class ParsePool {
  readonly #host: SandboxHost
  readonly #spares = new Map<string, ReadingProcess>()
  #closed = false

  constructor(host: SandboxHost) {
    this.#host = host
  }

  /** Calls the module's default export with the bytes and `args`, and returns its result. Throws the module's Fault; `blocked` when the file takes too much time or memory. */
  async parse(module: URL, bytes: ForeignBytes, options: ParseOptions, cancel: Cancel): Promise<unknown> {
    const first = header({ args: options.args })
    const fed: ModuleJob['feed'] = ({ job }, stop) => feed(job.stdin, joined(first, [bytes]), stop)
    return (await this.#run({ module, options, feed: fed }, cancel)).result
  }

  /** The same with the bytes of files of a call as a list; the module returns `result` and `data`, the bytes of a new file or none. */
  async parseFiles(module: URL, files: readonly ScratchFile[], options: ParseFilesOptions, cancel: Cancel) {
    const { args, callFiles, maxBytes } = options
    const first = header({ args, sizes: files.map(({ size }) => size) })
    const fed: ModuleJob['feed'] = ({ job, stdout }, stop) => {
      stdout.storeIn({ callFiles, maxBytes, onFailure: stop })
      return feed(
        job.stdin,
        joined(
          first,
          files.map((file) => callFiles.read(file)),
        ),
        stop,
      )
    }
    return await this.#run({ module, options, feed: fed }, cancel)
  }

  async #run({ module, options, feed: begin }: ModuleJob, cancel: Cancel): Promise<ParsedFiles<unknown>> {
    const memoryMb = options.memoryMb ?? DEFAULT_MEMORY_MB
    const key = `${memoryMb} ${module.href}`
    const spare = this.#takeSpare(key)
    spare?.lease.serve(cancel.caller)
    const reader = spare ?? this.#start(module, key, memoryMb, { account: cancel.caller })
    const { stdout, stderr } = reader
    const limits = { ...reader.limits, timeoutMs: Math.min(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, Math.max(1, cancel.timeLeft())) }
    const supervisor = new Supervisor(this.#host.clock, reader.job, reader.lease, { limits, cancel })
    reader.onFlood = () => supervisor.stop('output')
    try {
      const fed = begin(reader, () => supervisor.stop('aborted'))
      const end = await reader.job.ended
      if (supervisor.stopped === 'memory' || supervisor.stopped === 'output') this.#host.use.exceeded(cancel.caller)
      await fed.settled()
      if (stdout.failure !== null) throw stdout.failure.error
      const outOfMemory = reader.lease.group?.outOfMemory() === true
      const result = readAnswer({ end, stopped: supervisor.stopped, outOfMemory, stdout: stdout.answer(), stderr: stderr.bytes() })
      return { result, file: await stdout.file() }
    } catch (error) {
      stdout.abandon()
      throw error
    } finally {
      supervisor.done()
      reader.lease.done()
      this.#keepSpare(module, key, memoryMb)
    }
  }

  /** Ends the spares; running jobs finish. */
  close(): void {
    this.#closed = true
    for (const spare of this.#spares.values()) this.#drop(spare)
  }

  #takeSpare(key: string): ReadingProcess | undefined {
    const spare = this.#spares.get(key)
    this.#spares.delete(key)
    spare?.stopIdle()
    return spare
  }

  #keepSpare(module: URL, key: string, memoryMb: number): void {
    if (this.#closed || this.#spares.has(key)) return
    const oldest = [...this.#spares.values()][0]
    if (oldest !== undefined && this.#spares.size >= MAX_SPARES) this.#drop(oldest)
    const spare = this.#startSpare(module, key, memoryMb)
    if (spare === null) return
    this.#spares.set(key, spare)
    spare.stopIdle = this.#host.clock.after(IDLE_MS, () => this.#drop(spare))
    const gone = (): void => {
      if (this.#spares.get(key) === spare) this.#drop(spare)
    }
    spare.job.ended.then(gone, gone)
  }

  #startSpare(module: URL, key: string, memoryMb: number): ReadingProcess | null {
    try {
      return this.#start(module, key, memoryMb, 'many')
    } catch (error) {
      this.#host.log('no process could be kept ready for reading files', { module: module.href, error: String(error) })
      return null
    }
  }

  #drop(spare: ReadingProcess): void {
    if (this.#spares.get(spare.key) === spare) this.#spares.delete(spare.key)
    spare.stopIdle()
    spare.job.kill()
    const done = (): void => spare.lease.done()
    spare.job.ended.then(done, done)
  }

  #start(module: URL, key: string, memoryMb: number, owner: JobOwner): ReadingProcess {
    const host = this.#host
    const limits: JobLimits = { memoryMb, processes: 64, diskMb: 64, timeoutMs: CPU_MS }
    const script = fileURLToPath(new URL('./parse-process.js', import.meta.url))
    const work = { program: process.execPath, args: [script, module.href], limits, readOnly: codeFolders(module) }
    const { job, lease } = startLeased(host, work, owner)
    const reader: ReadingProcess = {
      key,
      job,
      lease,
      limits,
      stdout: new ParseOutput(job.stdout, () => reader.onFlood()),
      stderr: new Capture(job.stderr, { max: MAX_STDERR, limit: MAX_ANSWER, onLimit: () => reader.onFlood() }),
      onFlood: () => job.kill(),
      stopIdle: () => undefined,
    }
    return reader
  }
}

/** The header that precedes the bytes: its length and text. */
function header(value: object): Buffer {
  const text = Buffer.from(JSON.stringify(value))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text])
}

async function* joined(first: Buffer, rest: readonly ForeignBytes[]): AsyncGenerator<Uint8Array> {
  yield first
  for (const bytes of rest) {
    if (bytes instanceof Uint8Array) yield bytes
    else yield* bytes
  }
}
