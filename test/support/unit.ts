import type { HeldRegistry } from '../../core/loader/types.js'
import { Cancel } from '../../core/runtime/cancel.js'
import { EntryCache, MemoryEntries } from '../../core/dispatch/cached/cache.js'
import type { Clock } from '../../core/runtime/clock.js'
import { CallState } from '../../core/dispatch/call.js'
import type { Environment } from '../../core/dispatch/environment.js'
import type { VendorCost, Attempt } from '../../core/telemetry/types.js'
import type { CallFiles } from '../../core/files/blobs.js'
import { CleanUps, Probes } from '../../core/dispatch/background-work.js'
import { EnvironmentPorts } from '../../core/dispatch/ports.js'
import { Resources } from '../../core/dispatch/resources.js'
import { Shapes } from '../../core/dispatch/shapes.js'
import { ScratchFolder } from '../../core/files/scratch-folder.js'
import { Suspensions } from '../../core/dispatch/suspension.js'
import { MemoryCaps, type CapCounts } from '../../core/limits/caps.js'
import { SharedNames } from '../../core/runtime/id.js'
import type { PortResult } from '../../core/dispatch/port-request.js'
import type { Sandbox, Workers } from '../../core/exec/types.js'
import type { FaultKind, FaultOptions, ModelTokens } from '../../core/sdk/index.js'
import { HandClock, outboundKit } from './outbound.js'
import { logInto, type LogLine } from './log-lines.js'
import { Fault, scriptedRegistry, type Behaviour, type Script } from './test-plugin.js'

export interface BenchOptions {
  readonly clock?: Clock
  readonly resources?: Resources
  readonly files?: CallFiles
  readonly sandbox?: Partial<Sandbox>
  readonly workers?: Partial<Workers>
  readonly cache?: (clock: Clock) => EntryCache
  readonly caps?: CapCounts
}

const refuse = (what: string) => () => Promise.reject(new Error(`the test has no ${what}`))
const noSandbox: Sandbox = {
  status: () => Promise.resolve({ live: false, detail: 'none', checks: [] }),
  program: () => undefined,
  refusal: () => Promise.resolve(null),
  run: refuse('sandbox'),
  launcher: refuse('sandbox'),
  start: refuse('sandbox'),
  parse: refuse('sandbox'),
  parseFiles: refuse('sandbox'),
  close: () => Promise.resolve(),
}

/** Dispatch with scripted providers: real ports, suspensions and outbound calls, and a clock that moves when the test says so. */
export function bench(script: Script, options: BenchOptions = {}) {
  const hand = new HandClock()
  const clock = options.clock ?? hand
  const registry = scriptedRegistry(script)
  const outbound = outboundKit()
  const logs: LogLine[] = []
  const finished: Attempt[] = []
  const costs: VendorCost[] = []
  const tokens: [string, ModelTokens][] = []
  const log = logInto(logs)
  const suspensions = new Suspensions(clock)
  const held = (): HeldRegistry => ({ registry, again: held, end: () => undefined })
  const environment: Environment = {
    registry: () => registry,
    begin: held,
    clock,
    api: outbound.api,
    web: outbound.web,
    net: outbound.net,
    sandbox: { ...noSandbox, ...options.sandbox },
    workers: { run: refuse('workers'), close: () => Promise.resolve(), ...options.workers },
    files: options.files ?? { put: refuse('files') },
    openLink: () => Promise.resolve(null),
    openScratch: () => new ScratchFolder(1024 * 1024),
    resources: options.resources ?? new Resources(() => ({ host: {} as never, cleanUp: () => Promise.resolve() })),
    suspensions,
    probes: new Probes(),
    cleanUps: new CleanUps(clock, log),
    shapes: new Shapes(),
    names: new SharedNames('secret'),
    cache:
      options.cache?.(clock) ??
      new EntryCache({ clock, memory: new MemoryEntries(clock, 1024 * 1024), shared: null, background: () => undefined }),
    caps: options.caps ?? new MemoryCaps(clock),
    ports: new EnvironmentPorts(() => environment),
    log,
    telemetry: {
      attempt: (attempt) => void finished.push({ ...attempt }),
      cost: (cost) => void costs.push(cost),
      tokens: (...counted) => void tokens.push(counted),
    },
  }
  const call = (ms = 5_000): CallState => {
    const cancel = new Cancel(clock, clock.monotonic() + ms)
    clock.after(ms, () => cancel.cancel('deadline'))
    return new CallState({
      requestId: 'req_1',
      account: 'acc',
      key: 'key_1',
      caller: () => ({ account: 'caller_acc', key: 'caller_key' }),
      cancel,
    })
  }
  const ask = (state: CallState, portId = 'test.echo', more: { only?: string; given?: unknown } = {}): Promise<PortResult> =>
    environment.ports.invoke({
      call: state,
      cancel: state.cancel,
      depth: 0,
      portId,
      given: more.given ?? { text: 'hello' },
      only: more.only,
    })
  return { environment, registry, clock: hand, suspensions, logs, finished, costs, tokens, outbound, call, ask, close: outbound.close }
}

/** A provider that ends with a Fault. */
export function failing(kind: FaultKind, options: FaultOptions = {}, message = `the vendor said ${kind}`): Behaviour {
  return () => Promise.reject(new Fault(kind, message, options))
}

/** A provider that answers with a text of its own. */
export function saying(text: string): Behaviour {
  return () => Promise.resolve({ text })
}

/** A provider that never settles. */
export const silent: Behaviour = () => new Promise(() => undefined)

/** What work was rejected with; fails when it was not. */
export async function errorOf(work: Promise<unknown>): Promise<Error> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome && outcome.error instanceof Error) return outcome.error
  throw new Error(`expected a rejection, got ${JSON.stringify(outcome)}`)
}

/** Lets everything run that waits for nothing but its turn. */
export async function settle(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Provider and outcome of tries, in order. */
export function outcomes(attempts: readonly Attempt[]): string[] {
  return attempts.map(({ provider, outcome }) => `${provider} ${outcome}`)
}
