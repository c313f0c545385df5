import type { Cancel } from '../runtime/cancel.js'
import { Fault, type ExecResult, type WarmProgram } from '../sdk/index.js'
import { assertFit, handOver } from './hand-over.js'
import type { SandboxHost } from './host.js'
import { checkInputFiles } from './input-files.js'
import type { JobOwner } from './lease.js'
import { limited } from './limits.js'
import { checkWords, finish } from './run.js'
import { wordsText } from './launcher.js'
import type { RunOptions } from './types.js'
import { becomesReady, DISK_MB, startWarm, type WarmSandbox } from './warm-sandbox.js'

/** A program of a call with its absolute path and arguments. */
interface Command {
  readonly program: string
  readonly args: readonly string[]
}

/** A job and its warm program, with that program's absolute path. */
interface WarmCommand {
  readonly warm: WarmProgram
  readonly path: string
  readonly command: Command
}

interface WarmAttempt {
  readonly warm: WarmProgram
  readonly command: Command
  readonly options: RunOptions
  readonly cancel: Cancel
  readonly begin: number
  readonly onReady: () => void
}

interface Spare {
  readonly sandbox: WarmSandbox
  stopIdle: () => void
}

const IDLE_MS = 120_000
/** Most programs kept ready; beyond that the least recently used one is ended. */
const MOST_SPARES = 4

/** Programs that are started before their jobs: each takes one job. One of each is kept ready while jobs arrive. */
export class WarmPool {
  readonly #host: SandboxHost
  /** By definition and path, the most recently used last. */
  readonly #spares = new Map<string, Spare>()
  readonly #all = new Set<WarmSandbox>()
  readonly #starting = new Set<Promise<unknown>>()
  /** Keys of spares that are being started. */
  readonly #preparing = new Set<string>()
  #closed = false

  constructor(host: SandboxHost) {
    this.#host = host
  }

  /**
   * Runs a job in a ready sandbox or in a new one. A sandbox that ended or hung before it took the job is replaced once.
   * An account that used much processor time lately always gets a new one, which starts in the background: the ready
   * ones are for the others. Throws as `runJob`.
   */
  async run({ warm, path, command }: WarmCommand, options: RunOptions, cancel: Cancel): Promise<ExecResult> {
    checkInputFiles(options.files ?? [], Infinity)
    assertFit(options, warm.diskMb ?? DISK_MB)
    checkWords(command.args, options.env ?? {})
    const key = JSON.stringify([warm, path])
    const isHeavy = this.#host.use.isHeavy(cancel.caller)
    // While the job runs, since another account's job may come meanwhile.
    const onReady = (): void => (isHeavy ? undefined : this.#keepOneReady(key, warm, path))
    const attempt = { warm, command, options, cancel, begin: this.#host.clock.monotonic(), onReady }
    const spare = isHeavy ? null : this.#takeSpare(key)
    try {
      if (spare !== null)
        try {
          return await this.#attempt(spare, attempt)
        } catch (error) {
          if (!(error instanceof NotTaken)) throw error
          this.#host.log('a warm program ended before its job', { warm: warm.id })
        }
      return await this.#attempt(await this.#start(warm, path, isHeavy ? { account: cancel.caller } : 'none'), attempt)
    } catch (error) {
      throw error instanceof NotTaken ? error.fault : error
    }
  }

  /** Ends the spares and the running jobs; takes no more jobs. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { stopIdle } of this.#spares.values()) stopIdle()
    this.#spares.clear()
    await Promise.allSettled([...this.#starting])
    const all = [...this.#all]
    for (const sandbox of all) sandbox.end()
    await Promise.all(all.map(({ job }) => job.ended))
  }

  /** Throws NotTaken when the sandbox failed before it took the job, so that another one can take it. */
  async #attempt(sandbox: WarmSandbox, { warm, command, options, cancel, begin, onReady }: WarmAttempt): Promise<ExecResult> {
    const { clock, groups } = this.#host
    let taken = (): boolean => false
    sandbox.hold()
    try {
      await becomesReady(sandbox, warm, cancel)
      onReady()
      sandbox.lease.serve(cancel.caller)
      const left = Math.max(1, cancel.timeLeft())
      const limits = { ...sandbox.limits, timeoutMs: Math.min(options.timeoutMs ?? left, left) }
      const words = warm.job === 'itself' ? [] : limited(command.program, command.args, limits, groups.controllers.has('memory'))
      const handed = handOver(clock, sandbox.job, { words: wordsText(words, options.env ?? {}), options })
      taken = handed.taken
      const running = { host: this.#host, job: handed.job, lease: sandbox.lease, limits, begin }
      return await finish(running, { ...options, stdin: handed.stdin }, cancel)
    } catch (error) {
      throw Fault.is(error) && error.kind === 'broken' && !taken() ? new NotTaken(error) : error
    } finally {
      sandbox.end()
    }
  }

  async #start(warm: WarmProgram, path: string, owner: JobOwner = 'none'): Promise<WarmSandbox> {
    if (this.#closed) throw new Error('the sandbox is closed')
    const starting = startWarm(this.#host, warm, path, owner)
    this.#starting.add(starting)
    try {
      const sandbox = await starting
      this.#all.add(sandbox)
      sandbox.onEnd(() => this.#all.delete(sandbox))
      return sandbox
    } finally {
      this.#starting.delete(starting)
    }
  }

  #takeSpare(key: string): WarmSandbox | null {
    const spare = this.#spares.get(key)
    if (spare === undefined) return null
    spare.stopIdle()
    this.#spares.delete(key)
    return spare.sandbox
  }

  /** At each job: nothing is started before the first one, and the spare ends when no more arrive. */
  #keepOneReady(key: string, warm: WarmProgram, path: string): void {
    if (this.#closed || this.#preparing.has(key)) return
    const spare = this.#takeSpare(key)
    if (spare !== null) return this.#rest(key, warm, spare)
    this.#preparing.add(key)
    this.#start(warm, path)
      .then((sandbox) => this.#rest(key, warm, sandbox))
      .catch((error: unknown) => this.#host.log('a warm program could not be started', { warm: warm.id, error: String(error) }))
      .finally(() => this.#preparing.delete(key))
  }

  #rest(key: string, warm: WarmProgram, sandbox: WarmSandbox): void {
    if (this.#closed || this.#spares.has(key)) return sandbox.end()
    const drop = (): void => {
      if (this.#spares.get(key)?.sandbox !== sandbox) return
      this.#takeSpare(key)
      sandbox.end()
    }
    this.#spares.set(key, { sandbox, stopIdle: this.#host.clock.after(warm.idleMs ?? IDLE_MS, drop) })
    sandbox.onEnd(drop)
    for (const [oldest, other] of this.#spares)
      if (this.#spares.size > MOST_SPARES) {
        this.#takeSpare(oldest)
        other.sandbox.end()
      }
  }
}

/** A sandbox failed before it took its job. */
class NotTaken extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

const OF_THE_PROGRAM = ['memoryMb', 'processes', 'diskMb', 'network', 'readOnly', 'isolation'] as const

/** Throws TypeError for options that belong to the warm program, and for another command where it does the jobs. */
export function checkWarmOptions({ warm, path, command: { program, args } }: WarmCommand, options: RunOptions): void {
  const wrong = OF_THE_PROGRAM.find((name) => options[name] !== undefined)
  if (wrong !== undefined) throw new TypeError(`${wrong} cannot be set for a job of the warm program ${warm.id}`)
  if (warm.job === 'beside') return
  if (options.env !== undefined) throw new TypeError(`the environment of ${warm.id} is set when it is started`)
  const same = program === path && args.length === warm.args.length && args.every((arg, index) => arg === warm.args[index])
  if (!same) throw new TypeError(`${warm.id} does its jobs itself: a job must have the same program and arguments`)
}
