import type { Readable } from 'node:stream'
import { Fault, type ScratchFile } from '../sdk/index.js'
import { CollectedFile } from './collected-file.js'
import { fromWire } from './fault-wire.js'
import type { JobEnd } from './job.js'
import { sandboxFailed } from './run.js'
import type { Stop } from './watchdog.js'
import type { ProgramFiles } from './types.js'

const HEAD_BYTES = 4

/** The destination of the bytes after an answer, and the callback when they cannot be written. */
interface FileTarget {
  readonly callFiles: ProgramFiles
  readonly maxBytes: number | undefined
  readonly onFailure: () => void
}

/** Reads the untrusted output of a parser process: the length of its answer, the answer, and the bytes of a file. */
export class ParseOutput {
  readonly #stdout: Readable
  readonly #onFlood: () => void
  #parts: Buffer[] = []
  #size = 0
  /** Offset of the answer's end; infinite until its length is known. */
  #end = Infinity
  #target: FileTarget | null = null
  #file: CollectedFile | null = null
  #made: ScratchFile | null = null
  #failure: { readonly error: unknown } | null = null

  /** Calls back for an answer longer than MAX_ANSWER, and for bytes after it that were not requested. */
  constructor(stdout: Readable, onFlood: () => void) {
    this.#stdout = stdout
    this.#onFlood = onFlood
    stdout.on('data', (chunk: Buffer) => this.#take(chunk))
  }

  /** Stores the bytes after the answer in a file. */
  storeIn(target: FileTarget): void {
    this.#target = target
  }

  /** The JSON of the answer received so far. */
  answer(): Buffer {
    return Buffer.concat(this.#parts).subarray(HEAD_BYTES)
  }

  /** The file; null when there were no bytes. Rejects with the error of writing it. */
  async file(): Promise<ScratchFile | null> {
    if (this.#failure !== null) throw this.#failure.error
    await this.#file?.end()
    return this.#made
  }

  /** Discards the file. */
  abandon(): void {
    this.#file?.abandon()
  }

  /** The error of writing the file, else null. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure
  }

  #take(chunk: Buffer): void {
    const known = this.#end !== Infinity
    const kept = Buffer.from(chunk.subarray(0, this.#end - this.#size))
    this.#parts.push(kept)
    this.#size += kept.length
    if (known) return this.#toFile(chunk.subarray(kept.length))
    if (this.#size < HEAD_BYTES) return
    const all = Buffer.concat(this.#parts)
    const length = all.readUInt32LE(0)
    if (length > MAX_ANSWER) return this.#onFlood()
    this.#end = HEAD_BYTES + length
    this.#parts = [all.subarray(0, this.#end)]
    this.#size = Math.min(all.length, this.#end)
    this.#toFile(all.subarray(this.#end))
  }

  #toFile(bytes: Buffer): void {
    if (bytes.length === 0 || this.#failure !== null) return
    if (this.#target === null) return this.#onFlood()
    const { callFiles, maxBytes } = this.#target
    this.#file ??= new CollectedFile(callFiles, (file) => (this.#made = file), maxBytes)
    const written = this.#file.write(bytes)
    if (written === undefined) return
    this.#stdout.pause()
    written.catch((error: unknown) => this.#fail(error)).finally(() => this.#stdout.resume())
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#target?.onFailure()
  }
}

/** Largest JSON answer of a module, in bytes. */
export const MAX_ANSWER = 20 * 1024 * 1024
const UNREADABLE = 'the file could not be read'

/** The end and output of a parser process. */
interface EndedReading {
  readonly end: JobEnd
  readonly stopped: Stop | null
  readonly outOfMemory: boolean
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** The module's answer. Throws the Fault of a failed end: `blocked` because of the file, `broken` of the sandbox. */
export function readAnswer({ end, stopped, outOfMemory, stdout, stderr }: EndedReading): unknown {
  const internal = `code ${end.code}: ${stderr.toString('utf8').slice(0, 500)}`
  if (stopped === 'time') throw new Fault('blocked', 'the file took too long to read', { costly: true })
  if (stopped === 'aborted') throw new Fault('busy', 'the call was over before the file was read')
  if (stopped === 'output') throw new Fault('blocked', `the content of the file is larger than ${MAX_ANSWER / 1024 / 1024} MiB`)
  if (!end.started && stopped === null) throw sandboxFailed(end, stderr)
  if (stopped === 'memory' || stderr.includes('heap out of memory') || (end.code !== 0 && outOfMemory))
    throw new Fault('blocked', 'the file needs too much memory to read', { internal, costly: true })
  if (end.code !== 0) throw new Fault('blocked', UNREADABLE, { internal })
  return unwrap(stdout, internal)
}

function unwrap(bytes: Buffer, internal: string): unknown {
  let reply: unknown
  try {
    reply = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new Fault('broken', UNREADABLE, { internal, cause: error })
  }
  if (typeof reply === 'object' && reply !== null && 'ok' in reply && reply.ok === true && 'result' in reply) return reply.result
  throw fromWire(typeof reply === 'object' && reply !== null && 'error' in reply ? reply.error : reply, UNREADABLE)
}
