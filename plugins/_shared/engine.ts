import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  Fault,
  isRecord,
  resource,
  type ResidentProgram,
  type Resource,
  type ResourceHost,
  type Services,
  type Static,
  type TObject,
} from '../../core/sdk/index.js'
import { type Frame, frameOf, framesOf } from './engine-frames.js'
import { EnginePacks, type InstalledPacks, type Pack, type Packs, sourceFile } from './engine-pack.js'
import { FairQueue } from './fair-queue.js'

/** How an engine is started and stopped. */
export interface EngineDefinition<S extends TObject> {
  readonly id: string
  /** URL of the manifest of its pack (`packFile`). */
  readonly manifest: URL
  /** The module run in the process: `.js` with `open` (`OpenEngine`), or `.py` with `open_engine`. */
  readonly module: URL
  readonly settings?: S
  /** Arguments for the module; the first pack is the engine's own, the others extend it. */
  readonly args: (given: EngineGiven<Static<S>>) => readonly string[]
  /** Files and folders mounted beside its code and the packs. */
  readonly readOnly?: (given: EngineGiven<Static<S>>) => readonly string[]
  /** MiB; a process that uses more is killed. */
  readonly memoryMb: number
  /** MiB of resident memory above which the process is ended after a request, default three quarters of `memoryMb`. */
  readonly recycleMb?: number
  /** Requests after which it is ended, default 200. */
  readonly uses?: number
  /** Idle milliseconds after which it is ended, default 120,000. */
  readonly idleMs?: number
  /** Start timeout in milliseconds, default 30,000. */
  readonly startMs?: number
}

interface EngineGiven<S> {
  readonly packs: Packs
  readonly settings: Readonly<S>
}

/** One request to an engine. */
export interface Question {
  readonly input: unknown
  readonly bytes?: Uint8Array
  /** Milliseconds for the response, without waiting and start; default: the time left of the call. */
  readonly timeoutMs?: number
  readonly onEvent?: (event: unknown) => void
  /** The pack needed for the response, if not the engine's own. */
  readonly pack?: Pack
}

/** A process with a loaded model that serves one call after another. */
export interface Engine {
  /**
   * The packs installed now, its own first. Starts nothing. Throws `broken`, with the install command, when its own
   * is missing or does not match.
   */
  packs(): Promise<Packs>
  /**
   * The response; `result` is unchecked JSON. Starts the process when none runs or packs have changed. Throws the
   * engine's refusal; `busy` when the call is over or too many wait; `missing` and costly at the limit of time or
   * memory; `broken` and costly when the process ended or did not start; `broken`, with the install command, when a
   * pack is damaged. After any failure but a refusal the process is ended, and the next request starts another.
   */
  ask(ctx: EngineCall, question: Question): Promise<{ readonly result: unknown; readonly bytes: Uint8Array }>
  /** Ends the process and waits for its end. */
  close(): Promise<void>
}

type EngineCall = Pick<Services, 'signal' | 'timeLeft' | 'caller' | 'log'>

const DEFAULTS = { uses: 200, idleMs: 120_000, startMs: 30_000 }
const WAITS = {
  places: 1,
  waiting: 32,
  waitingPerCaller: 8,
  full: 'Too many calls wait for the local engine.',
  late: 'The local engine was not free in time.',
}
const MIB = 1024 * 1024

/** Declares an engine for `ctx.use`. Opening it starts nothing; the process ends with the gateway or after an idle period. */
export function engine<S extends TObject>(definition: EngineDefinition<S>): Resource<Engine> {
  const { settings } = definition
  return resource<Engine, S>({
    id: definition.id,
    ...(settings === undefined ? {} : { settings }),
    open: (host) => {
      const { args, readOnly = () => [], ...rest } = definition
      const given = (packs: Packs) => ({ packs, settings: host.settings })
      const words = { args: (packs: Packs) => args(given(packs)), readOnly: (packs: Packs) => readOnly(given(packs)) }
      return Promise.resolve(new ResidentEngine(host, { ...DEFAULTS, ...rest, ...words }))
    },
    close: (opened) => opened.close(),
  })
}

interface Plan {
  readonly id: string
  readonly manifest: URL
  readonly module: URL
  readonly args: (packs: Packs) => readonly string[]
  readonly readOnly: (packs: Packs) => readonly string[]
  readonly memoryMb: number
  readonly recycleMb?: number
  readonly uses: number
  readonly idleMs: number
  readonly startMs: number
}

interface Running {
  /** The verified packs it was started with. */
  readonly packs: readonly Pack[]
  readonly mark: string
  readonly program: ResidentProgram
  readonly frames: AsyncGenerator<Frame, void>
  uses: number
}

class ResidentEngine implements Engine {
  readonly #host: Pick<ResourceHost, 'start'>
  readonly #plan: Plan
  readonly #queue = new FairQueue(WAITS)
  readonly #packs: EnginePacks
  #running: Running | null = null
  /** A request was sent to the process, which has not responded yet. */
  #answers = false
  #idle: NodeJS.Timeout | undefined

  constructor(host: Pick<ResourceHost, 'start' | 'program' | 'log'>, plan: Plan) {
    this.#host = host
    this.#plan = plan
    this.#packs = new EnginePacks(plan.manifest, host)
  }

  async packs(): Promise<Packs> {
    return (await this.#installed()).packs
  }

  async ask(ctx: EngineCall, question: Question): Promise<{ result: unknown; bytes: Uint8Array }> {
    const message = frameOf(question.input, question.bytes)
    const leave = await this.#queue.take(ctx.caller.account, ctx.signal)
    clearTimeout(this.#idle)
    try {
      const running = await this.#ready(ctx, question.pack)
      running.uses += 1
      this.#answers = true
      const limit = Math.max(1, Math.min(question.timeoutMs ?? Infinity, ctx.timeLeft()))
      return await this.#explained([...running.packs.slice(0, 1), ...(question.pack === undefined ? [] : [question.pack])], async () => {
        const { header, bytes } = await this.#attempt(ctx, running.program, limit, async () => {
          await running.program.write(message)
          return await answerOf(running, question.onEvent)
        })
        if (this.#isWorn(running, header.rss)) this.#end()
        if ('result' in header) return { result: header.result, bytes }
        throw refusal(header)
      })
    } finally {
      this.#answers = false
      if (this.#running !== null) this.#idle = setTimeout(() => this.#end(), this.#plan.idleMs).unref()
      leave()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const ended = this.#running?.program.ended
    this.#end()
    await ended
  }

  /** A process whose pack was removed is ended once it is idle. */
  async #installed(): Promise<InstalledPacks> {
    try {
      return await this.#packs.installed()
    } catch (error) {
      if (!this.#answers) this.#end()
      throw error
    }
  }

  /** The process, restarted when the installed packs have changed or it lacks the needed one. */
  async #ready(ctx: EngineCall, needed: Pack | undefined): Promise<Running> {
    const installed = await this.#installed()
    if (this.#running?.mark !== installed.mark) this.#end()
    const running = this.#running
    if (running !== null && (needed === undefined || running.packs.some(({ folder }) => folder === needed.folder))) return running
    if (needed !== undefined) await this.#packs.assertWhole(needed)
    this.#end()
    return await this.#start(ctx, installed)
  }

  async #start(ctx: EngineCall, { mark, packs }: InstalledPacks): Promise<Running> {
    const whole = await this.#packs.whole(packs)
    const program = await this.#launch(whole)
    const running = { packs: whole, mark, program, frames: framesOf(program.output), uses: 0 }
    this.#running = running
    void program.ended.then(() => {
      if (this.#running === running) this.#running = null
    })
    const limit = Math.min(this.#plan.startMs, Math.max(1, ctx.timeLeft()))
    await this.#explained(whole.slice(0, 1), async () => await this.#attempt(ctx, program, limit, () => answerOf(running)))
    return running
  }

  /** Runs engine work. If it fails and a needed pack is damaged, throws the Fault of that pack instead. */
  async #explained<T>(needed: readonly Pack[], work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (Fault.is(error) && error.kind === 'broken') {
        this.#packs.recheck()
        for (const pack of needed) await this.#packs.assertWhole(pack)
      }
      throw error
    }
  }

  async #launch(packs: Packs): Promise<ResidentProgram> {
    const { module, memoryMb } = this.#plan
    const args = this.#plan.args(packs)
    const readOnly = [...packs.map(({ folder }) => folder), ...this.#plan.readOnly(packs)]
    const path = fileURLToPath(module)
    if (!path.endsWith('.py')) {
      const own = new URL('./engine-process.js', import.meta.url)
      return await this.#host.start('node', [path, ...args], { module: own, readOnly: [...readOnly, dirname(path)], memoryMb })
    }
    const own = fileURLToPath(sourceFile(import.meta.url, 'engine_process.py'))
    const libraries = packs.map((pack) => pack.path('lib')).join(':')
    const words = ['-IB', own, libraries, path, ...args]
    const env = { OMP_NUM_THREADS: '2', HF_HUB_OFFLINE: '1' }
    return await this.#host.start('python3', words, { readOnly: [...readOnly, dirname(own), dirname(path)], memoryMb, env })
  }

  /** Runs a part of a request; if it ends without a response, the process is ended too. */
  async #attempt<T>(ctx: EngineCall, program: ResidentProgram, timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const kill = (): void => program.kill()
    ctx.signal.addEventListener('abort', kill, { once: true })
    try {
      if (ctx.signal.aborted) kill()
      return await program.during(timeoutMs, work)
    } catch (error) {
      this.#end()
      if (Fault.is(error)) throw error
      await program.ended
      throw this.#fault(ctx, program, error)
    } finally {
      ctx.signal.removeEventListener('abort', kill)
    }
  }

  #fault(ctx: EngineCall, program: ResidentProgram, error: unknown): Fault {
    const stopped = program.stopped()
    const internal = `engine ${this.#plan.id}: ${String(error)} ${program.errors()}`
    if (ctx.signal.aborted || ctx.timeLeft() <= 0)
      return new Fault('busy', 'The call was over before the local engine had answered.', { internal })
    if (stopped === null) return new Fault('broken', 'The local engine ended before it had answered.', { internal, costly: true })
    const more = stopped === 'time' ? 'time' : 'memory'
    return new Fault('missing', `This takes more ${more} than the local engine may use.`, {
      internal,
      costly: true,
      final: stopped === 'time',
    })
  }

  #isWorn({ uses }: Running, rss: unknown): boolean {
    const { recycleMb = this.#plan.memoryMb * 0.75 } = this.#plan
    return uses >= this.#plan.uses || (typeof rss === 'number' && rss > recycleMb * MIB)
  }

  #end(): void {
    this.#running?.program.kill()
    this.#running = null
  }
}

/** The next message that is not an event. Throws when there is none. */
async function answerOf(
  { frames }: Running,
  onEvent: (event: unknown) => void = () => undefined,
): Promise<{ header: Record<string, unknown>; bytes: Uint8Array }> {
  for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
    const { header, bytes } = next.value
    if (!isRecord(header)) throw new Error('it wrote a message that is not an object')
    if (!('event' in header)) return { header, bytes }
    onEvent(header.event)
  }
  throw new Error('it ended')
}

function refusal({ refused, error }: Record<string, unknown>): Fault {
  const internal = typeof error === 'string' ? error : 'it sent an unknown response'
  if (!isRecord(refused)) return new Fault('broken', 'The local engine failed.', { internal })
  return new Fault(refused.kind === 'invalid' ? 'invalid' : 'missing', String(refused.message), { internal })
}
