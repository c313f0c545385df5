import { setTimeout as pause } from 'node:timers/promises'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  RELEASE_SYNC,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten'
import { installGlobals } from '../guest/globals.js'
import { makeInspector } from '../guest/inspect.js'
import { SharedOutput } from '../guest/output.js'

/** A JavaScript program to run. */
export interface GuestInput {
  readonly code: string
  /** Wall time in milliseconds. */
  readonly timeoutMs: number
  readonly memoryMb: number
  /** Memory of a SharedOutput for its output. */
  readonly output: SharedArrayBuffer
}

/** The end of a program. */
export interface GuestEnd {
  readonly code: 0 | 1
  readonly stopped: 'time' | 'memory' | null
  readonly runMs: number
}

/** The used part of the WebAssembly API; Node has it, its types do not. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object
  readonly RuntimeError: new () => Error
}

const FILE = 'main.js'
/** Enough for about 3,000 nested calls, and less than the thread's own stack. */
const STACK_BYTES = 512 * 1024
const PAGE_BYTES = 64 * 1024
const MIB = 1024 * 1024
/** Jobs between two checks of the clock. */
const JOBS = 1000

class Stop extends Error {
  readonly why: 'time' | 'memory' | 'error'
  constructor(why: Stop['why']) {
    super(why)
    this.why = why
  }
}

/** Runs a program in its own engine (QuickJS, compiled to WebAssembly): the guest has two streams and a clock, nothing else. */
export default async function run({ code, timeoutMs, memoryMb, output }: GuestInput): Promise<GuestEnd> {
  const shared = new SharedOutput({ memory: output })
  // The engine counts its allocations; the memory's own maximum holds even when it does not.
  const memory = new WebAssembly.Memory({ initial: 256, maximum: ((memoryMb + 32) * MIB) / PAGE_BYTES })
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory: memory }))
  const runtime = engine.newRuntime()
  runtime.setMemoryLimit(memoryMb * MIB)
  runtime.setMaxStackSize(STACK_BYTES)
  const context = runtime.newContext()
  const guest = new Guest({ runtime, context, shared, timeoutMs })
  const begin = performance.now()
  shared.start(Date.now())
  const stopped = await guest.run(code)
  return { code: stopped === null ? 0 : 1, stopped: stopped === 'error' ? null : stopped, runMs: performance.now() - begin }
}

class Guest {
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #shared: SharedOutput
  readonly #loop: QuickJSHandle
  readonly #timeoutMs: number
  #begin = performance.now()

  constructor(parts: { runtime: QuickJSRuntime; context: QuickJSContext; shared: SharedOutput; timeoutMs: number }) {
    this.#runtime = parts.runtime
    this.#context = parts.context
    this.#shared = parts.shared
    this.#timeoutMs = parts.timeoutMs
    this.#loop = this.#install()
  }

  /** Null for a program that ended by itself, else the reason. */
  async run(code: string): Promise<Stop['why'] | null> {
    this.#begin = performance.now()
    this.#runtime.setInterruptHandler(() => this.#left() <= 0)
    try {
      await this.#runAll(code)
      return null
    } catch (error) {
      if (error instanceof Stop) return error.why
      // The engine itself failed: its stack or memory ran out where the guest could not be notified. This engine is
      // never used again.
      if (error instanceof RangeError) this.#shared.write(2, 'RangeError: Maximum call stack size exceeded\n')
      else if (error instanceof WebAssembly.RuntimeError) return 'memory'
      else throw error
      return 'error'
    }
  }

  async #runAll(code: string): Promise<void> {
    const kind = this.#kindOf(code)
    const result = this.#context.evalCode(code, FILE, { type: kind })
    if (result.error) this.#fail(result.error)
    const value = result.value
    for (;;) {
      this.#drain()
      this.#rejected(value)
      const wait = this.#context.getNumber(this.#call('next'))
      if (wait < 0) return
      await pause(Math.min(wait, Math.max(0, this.#left())))
      if (this.#left() <= 0) throw new Stop('time')
      if (wait === 0 || this.#context.getNumber(this.#call('next')) === 0) this.#call('fire')
    }
  }

  /**
   * Global code unless it can only be a module (import, export, top-level await). A module is never compiled alone:
   * the binding then reads the promise state of a value that is not a promise, with arbitrary results.
   */
  #kindOf(code: string): 'global' | 'module' {
    const compiles = (text: string): boolean =>
      this.#context.evalCode(text, FILE, { type: 'global', compileOnly: true }).error === undefined
    return !compiles(code) && (compiles(`(async () => {${code}\n})`) || /^[^\S\r\n\u2028\u2029]*(import|export)\b/m.test(code))
      ? 'module'
      : 'global'
  }

  #install(): QuickJSHandle {
    const context = this.#context
    const host = context.newObject()
    const write = context.newFunction('write', (stream, text) => {
      this.#shared.write(context.getNumber(stream) === 2 ? 2 : 1, context.getString(text))
      return context.undefined
    })
    const now = context.newFunction('now', () => context.newNumber(performance.now() - this.#begin))
    context.setProp(host, 'write', write)
    context.setProp(host, 'now', now)
    const install = context.unwrapResult(
      context.evalCode(`(host) => (${installGlobals.toString()})(host, (${makeInspector.toString()})())`, 'capstan.js'),
    )
    return context.unwrapResult(context.callFunction(install, context.undefined, host))
  }

  #drain(): void {
    for (;;) {
      const done = this.#runtime.executePendingJobs(JOBS)
      if (done.error) this.#fail(done.error)
      if (this.#left() <= 0) throw new Stop('time')
      if (done.value < JOBS) return
    }
  }

  /** A program whose last value, or whose module, is a promise fails when the promise rejects. */
  #rejected(value: QuickJSHandle): void {
    const state = this.#context.getPromiseState(value)
    if (state.type === 'rejected') this.#fail(state.error)
  }

  #call(name: 'next' | 'fire'): QuickJSHandle {
    const called = this.#context.callFunction(this.#context.getProp(this.#loop, name), this.#loop)
    if (called.error) this.#fail(called.error)
    return called.value
  }

  /** Ends the run with an uncaught error of the guest. */
  #fail(error: QuickJSHandle): never {
    if (this.#left() <= 0) throw new Stop('time')
    if (this.#isOutOfMemory(error)) throw new Stop('memory')
    const described = this.#context.callFunction(this.#context.getProp(this.#loop, 'describe'), this.#loop, error)
    if (this.#left() <= 0) throw new Stop('time')
    this.#shared.write(2, `${described.error ? 'Uncaught error that cannot be shown' : this.#context.getString(described.value)}\n`)
    throw new Stop('error')
  }

  #isOutOfMemory(error: QuickJSHandle): boolean {
    // When memory is short, the engine may not be able to create the error.
    if (this.#context.typeof(error) !== 'object') return false
    const text = (name: string): string => this.#context.getString(this.#context.getProp(error, name))
    return text('message') === 'out of memory' && text('name') === 'InternalError'
  }

  #left(): number {
    return this.#timeoutMs - (performance.now() - this.#begin)
  }
}
