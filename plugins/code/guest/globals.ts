import type { Inspector } from './inspect.js'

/** The host functions available to the guest: two streams and a clock. */
interface GuestHost {
  /** Writes to standard output (1) or standard error (2). */
  write(stream: number, text: string): void
  /** Milliseconds since the start. */
  now(): number
}

/** Functions the host calls in the guest between its steps. */
interface GuestLoop {
  /** Milliseconds until the next timer is due, 0 when one is, -1 when there is none. */
  next(): number
  /** Runs one timer that is due; throws what it throws. */
  fire(): void
  /** An error that ended the program, with its stack. */
  describe(error: unknown): string
}

/**
 * Installs console, timers, queueMicrotask and performance.now in the guest. The text of this function runs inside
 * the guest: it must not use anything from outside itself. A guest that changes built-ins affects only itself.
 */
export function installGlobals(host: GuestHost, { inspect, format }: Inspector): GuestLoop {
  const timers = new Map<number, { at: number; every: number | null; run: () => unknown }>()
  const counts = new Map<string, number>()
  const clocks = new Map<string, number>()
  let last = 0
  let indent = ''

  const print = (stream: number, text: string): void => host.write(stream, `${indent === '' ? text : text.replace(/^/gm, indent)}\n`)
  const out = (...values: unknown[]): void => print(1, format(values))
  const err = (...values: unknown[]): void => print(2, format(values))
  const spent = (label: string): string => `${label}: ${(host.now() - (clocks.get(label) ?? host.now())).toFixed(3)}ms`
  const add = (run: unknown, ms: unknown, repeat: boolean, values: readonly unknown[]): number => {
    if (typeof run !== 'function') throw new TypeError('the first argument of a timer must be a function')
    const wait = Math.max(1, Number(ms) || 0)
    last += 1
    timers.set(last, { at: host.now() + wait, every: repeat ? wait : null, run: (): unknown => Reflect.apply(run, undefined, values) })
    return last
  }
  const clear = (id: unknown): void => {
    if (typeof id === 'number') timers.delete(id)
  }
  const due = (): [number, { at: number; every: number | null; run: () => unknown }] | undefined =>
    [...timers].sort(([, one], [, other]) => one.at - other.at)[0]

  const console = {
    log: out,
    info: out,
    debug: out,
    error: err,
    warn: err,
    trace: (...values: unknown[]) => err(`Trace: ${format(values)}`),
    dir: (value: unknown) => print(1, inspect(value)),
    table: out,
    assert: (condition: unknown, ...values: unknown[]) => {
      if (condition !== true && !condition) err(values.length === 0 ? 'Assertion failed' : `Assertion failed: ${format(values)}`)
    },
    count: (label = 'default') => {
      counts.set(label, (counts.get(label) ?? 0) + 1)
      out(`${label}: ${counts.get(label) ?? 0}`)
    },
    countReset: (label = 'default') => counts.delete(label),
    time: (label = 'default') => clocks.set(label, host.now()),
    timeLog: (label = 'default', ...values: unknown[]) => out(spent(label), ...values),
    timeEnd: (label = 'default') => {
      out(spent(label))
      clocks.delete(label)
    },
    group: (...values: unknown[]) => {
      if (values.length > 0) out(...values)
      indent += '  '
    },
    groupEnd: () => {
      indent = indent.slice(2)
    },
  }
  const offered: Record<string, unknown> = {
    console,
    setTimeout: (run: unknown, ms?: unknown, ...values: unknown[]) => add(run, ms, false, values),
    setInterval: (run: unknown, ms?: unknown, ...values: unknown[]) => add(run, ms, true, values),
    setImmediate: (run: unknown, ...values: unknown[]) => add(run, 0, false, values),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    queueMicrotask: (run: () => unknown) => void Promise.resolve().then(run),
    performance: { now: () => host.now() },
  }
  for (const [name, value] of Object.entries(offered))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })

  return {
    next: () => {
      const first = due()
      return first === undefined ? -1 : Math.max(0, first[1].at - host.now())
    },
    fire: () => {
      const first = due()
      if (first === undefined) return
      const [id, timer] = first
      if (timer.every === null) timers.delete(id)
      else timers.set(id, { ...timer, at: host.now() + timer.every })
      timer.run()
    },
    describe: (error) => (error instanceof Error ? inspect(error) : `Uncaught ${inspect(error)}`),
  }
}
