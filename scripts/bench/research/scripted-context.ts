import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import type { VirtualClock } from './virtual-clock.js'

/** What a port of a scripted run may use: time, and the end of its call. */
export interface Own {
  wait(ms: number): Promise<void>
  readonly signal: AbortSignal
}

/** Answers of ports by their id; a port that is not named has no live vendor. */
export type Ports = Readonly<Record<string, (input: never, own: Own) => unknown>>

export interface Scripted {
  readonly ctx: HandlerContext<never>
  /** Number of calls of each port. */
  readonly calls: ReadonlyMap<string, number>
  readonly notes: readonly string[]
  readonly stored: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

interface ScriptedOptions {
  readonly clock: VirtualClock
  readonly ports: Ports
  /** Of the whole call. */
  readonly deadlineMs: number
  readonly settings: Readonly<Record<string, unknown>>
}

/** The context of a handler, with scripted ports and time of its own. Modules of `ctx.work` run in this process. */
export function scriptedContext({ clock, ports, deadlineMs, settings }: ScriptedOptions): Scripted {
  const calls = new Map<string, number>()
  const notes: string[] = []
  const stored: { name: string; bytes: Uint8Array }[] = []
  const files = new Map<string, Uint8Array>()
  const keep = async (data: Uint8Array | AsyncIterable<Uint8Array>) => {
    const parts: Uint8Array[] = data instanceof Uint8Array ? [data] : []
    if (!(data instanceof Uint8Array)) for await (const part of data) parts.push(part)
    const id = String(files.size + 1).padStart(32, '0')
    files.set(id, Buffer.concat(parts))
    return { id, size: Buffer.concat(parts).length }
  }
  const common = {
    settings,
    note: (remark: string) => void notes.push(remark),
    log: () => undefined,
    progress: () => undefined,
    timeLeft: () => deadlineMs - clock.now,
    has: ({ id }: { id: string }) => id in ports,
    providers: ({ id }: { id: string } = { id: '' }) =>
      id in ports ? [{ id: 'scripted', title: 'Scripted', suspended: false, order: 0, serves: () => true }] : [],
    work: async (module: URL, input: unknown) => {
      const loaded = (await clock.during(import(module.href))) as { default: (given: unknown) => unknown }
      return await loaded.default(input)
    },
    scratch: {
      write: keep,
      store: (file: { id: string }, { name, contentType }: { name: string; contentType: string }) => {
        const bytes = files.get(file.id) ?? new Uint8Array()
        stored.push({ name, bytes })
        const url = `https://files.example/${name}`
        return Promise.resolve({ id: file.id, url, size: bytes.length, expires_at: '2026-01-02T00:00:00.000Z', content_type: contentType })
      },
    },
  }
  const whole = new AbortController()
  let begun = false
  /** The deadline counts from here on: until the first call of a port, modules are loaded in real time. */
  const begin = (): void => {
    if (begun) return
    begun = true
    clock.wait(deadlineMs, whole.signal).then(
      () => whole.abort(new Fault('busy', 'The call reached its deadline.')),
      () => undefined,
    )
  }
  const call = async ({ id }: { id: string }, input: unknown, signal: AbortSignal): Promise<unknown> => {
    begin()
    const answer = ports[id]
    if (answer === undefined) throw new Fault('missing', 'No vendor of this port is live.', { inconclusive: true })
    calls.set(id, (calls.get(id) ?? 0) + 1)
    const own: Own = { wait: (ms) => clock.wait(ms, signal), signal }
    return await untilAborted(Promise.resolve((answer as (given: unknown, own: Own) => unknown)(input, own)), signal)
  }
  const within = (signal: AbortSignal): object => ({
    ...common,
    signal,
    call: (port: { id: string }, input: unknown) => call(port, input, signal),
    gather: async (port: { id: string }, input: unknown) => [{ provider: 'scripted', order: 0, data: await call(port, input, signal) }],
    aside: (task: (context: unknown) => Promise<unknown>, options: Aside) => aside(task, options, signal),
  })
  async function aside(
    task: (context: unknown) => Promise<unknown>,
    { withinMs, onFailure }: Aside,
    around: AbortSignal,
  ): Promise<unknown> {
    begin()
    const limit = new AbortController()
    const both = AbortSignal.any([around, limit.signal])
    const late = new Fault('busy', 'It took too long.')
    const timer = clock.wait(Math.min(withinMs, common.timeLeft()), both).then(
      () => limit.abort(late),
      () => undefined,
    )
    try {
      return await untilAborted(task(within(both)), both)
    } catch (error) {
      if (around.aborted) throw error
      if (!Fault.is(error)) throw error
      onFailure?.(error)
      return null
    } finally {
      limit.abort(late)
      await timer
    }
  }
  return { ctx: within(whole.signal) as HandlerContext<never>, calls, notes, stored }
}

interface Aside {
  readonly withinMs: number
  readonly onFailure?: (fault: Fault) => void
}

/** What the task gives, or the reason of the signal as soon as it is aborted. */
function untilAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    task.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
