import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { DiskState } from '../runtime/disk-watch.js'
import type { ModelTokens } from '../sdk/index.js'
import type { Origin } from './unowned-errors.js'
import type { RequestFact, VendorCost, Attempt } from './types.js'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Disables the library's sampling of the event loop; `capstan_event_loop_p99_ms` replaces it. */
const NEVER_MS = 2 ** 31 - 1
const UNWATCHED = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']

/** A queue of background work. */
export interface QueueSource {
  readonly size: number
  /** Entries dropped from a full queue since the start; absent where none ever are. */
  readonly dropped?: number
}

/** Faults of the process outside calls, counted since the start. */
export interface ProcessFaults {
  readonly logLinesDropped: () => number
  readonly unownedErrors: () => Readonly<Record<Origin, number>>
}

interface GaugeSources {
  readonly callsInFlight: () => number
  readonly suspended: () => number
  readonly loopDelayMs: () => number
  /** Charges with written answers, not yet marked as delivered. */
  readonly deliveries: () => QueueSource
  /** Holds, charges and claims to be reversed. */
  readonly reversals: () => QueueSource
  /** Charges being refunded because their answers were not delivered. */
  readonly refunds: () => QueueSource
  readonly accountsAside: () => number
  /** Bytes; null where the ledger has no log of its own. */
  readonly logBytes: (() => number) | null
  readonly disks: () => readonly DiskState[]
  readonly faults: ProcessFaults
  /** Null without Redis. */
  readonly redisShared: (() => boolean) | null
}

/** Prometheus metrics. Labels are route templates, statuses, slugs, ports and vendors: bounded by what is loaded. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests: Counter<'method' | 'route' | 'status' | 'slug'>
  readonly #seconds: Histogram<'route'>
  readonly #credits: Counter<'route'>
  readonly #attempts: Counter<'port' | 'provider' | 'outcome'>
  readonly #attemptSeconds: Histogram<'port' | 'provider'>
  readonly #costs: Counter<'vendor' | 'currency'>
  readonly #tokens: Counter<'vendor' | 'direction'>
  readonly #requestSeries = new Made<{ requests: Counter.Internal; seconds: Histogram.Internal<'route'>; credits: Counter.Internal }>()
  readonly #costSeries = new Made<Counter.Internal>()
  readonly #attemptSeries = new Made<{ attempts: Counter.Internal; seconds: Histogram.Internal<'port' | 'provider'> }>()

  constructor(sources: GaugeSources) {
    const registers = [this.registry]
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: NEVER_MS })
    for (const name of UNWATCHED) this.registry.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`)
    this.#requests = new Counter({
      name: 'capstan_requests_total',
      help: 'Requests by route, status and problem.',
      labelNames: ['method', 'route', 'status', 'slug'],
      registers,
    })
    this.#seconds = new Histogram({
      name: 'capstan_request_seconds',
      help: 'Time to answer.',
      labelNames: ['route'],
      buckets: SECONDS,
      registers,
    })
    this.#credits = new Counter({ name: 'capstan_credits_total', help: 'Credits charged.', labelNames: ['route'], registers })
    this.#attempts = new Counter({
      name: 'capstan_attempts_total',
      help: 'Tries of providers by outcome.',
      labelNames: ['port', 'provider', 'outcome'],
      registers,
    })
    this.#attemptSeconds = new Histogram({
      name: 'capstan_attempt_seconds',
      help: 'Time of a try.',
      labelNames: ['port', 'provider'],
      buckets: SECONDS,
      registers,
    })
    this.#costs = new Counter({
      name: 'capstan_vendor_cost_total',
      help: 'Costs of calls reported by vendors, by currency or unit.',
      labelNames: ['vendor', 'currency'],
      registers,
    })
    this.#tokens = new Counter({
      name: 'capstan_model_tokens_total',
      help: 'Tokens reported by vendors of language models.',
      labelNames: ['vendor', 'direction'],
      registers,
    })
    gauge('capstan_calls_in_flight', 'Paid calls running now.', sources.callsInFlight, registers)
    gauge('capstan_providers_suspended', 'Providers suspended now.', sources.suspended, registers)
    gauge(
      'capstan_accounts_set_aside',
      'Accounts whose ledger entries cannot be written, counted by the gateway that sweeps.',
      sources.accountsAside,
      registers,
    )
    for (const queue of ['deliveries', 'reversals', 'refunds'] as const) {
      gauge(`capstan_${queue}_waiting`, `${QUEUES[queue]} that are queued.`, () => sources[queue]().size, registers)
      if (sources[queue]().dropped !== undefined)
        counter(
          `capstan_${queue}_dropped_total`,
          `${QUEUES[queue]} dropped from a full queue.`,
          () => sources[queue]().dropped ?? 0,
          registers,
        )
    }
    const { redisShared, logBytes, faults, disks } = sources
    byPart(
      'capstan_disk_full',
      '1 while a disk of the gateway is full and requests that write to it are refused.',
      ({ full }) => Number(full),
      { disks, registers },
    )
    byPart('capstan_disk_free_bytes', 'Bytes that may still be written to a disk of the gateway.', ({ free }) => free ?? NaN, {
      disks,
      registers,
    })
    counter('capstan_log_lines_dropped_total', 'Log lines that could not be written.', faults.logLinesDropped, registers)
    new Counter({
      name: 'capstan_unowned_errors_total',
      help: 'Errors that no call, connection or program handled.',
      labelNames: ['origin'],
      registers,
      collect() {
        this.reset()
        for (const [origin, count] of Object.entries(faults.unownedErrors())) this.inc({ origin }, count)
      },
    })
    if (logBytes !== null)
      gauge('capstan_ledger_log_bytes', "Size of the write-ahead log beside the embedded ledger's file.", logBytes, registers)
    if (redisShared !== null)
      gauge(
        'capstan_redis_shared',
        '1 while limits are shared through Redis, 0 while this replica limits alone.',
        () => Number(redisShared()),
        registers,
      )
    gauge('capstan_event_loop_p99_ms', '99th percentile of the event loop delay in the last second.', sources.loopDelayMs, registers)
  }

  request({ method, route, status, slug, seconds, credits }: RequestFact): void {
    const known = METHODS.has(method) ? method : 'other'
    const series = this.#requestSeries.of(`${known} ${status} ${slug} ${route}`, () => ({
      requests: this.#requests.labels({ method: known, route, status: String(status), slug }),
      seconds: this.#seconds.labels({ route }),
      credits: this.#credits.labels({ route }),
    }))
    series.requests.inc()
    series.seconds.observe(seconds)
    if (credits > 0) series.credits.inc(credits)
  }

  attempt({ port, provider, outcome, ms }: Attempt): void {
    const series = this.#attemptSeries.of(`${outcome} ${provider} ${port}`, () => ({
      attempts: this.#attempts.labels({ port, provider, outcome }),
      seconds: this.#attemptSeconds.labels({ port, provider }),
    }))
    series.attempts.inc()
    if (outcome !== 'skipped') series.seconds.observe(ms / 1000)
  }

  cost({ vendor, currency, amount }: VendorCost): void {
    this.#costSeries.of(`${currency} ${vendor}`, () => this.#costs.labels({ vendor, currency })).inc(amount)
  }

  tokens(vendor: string, { input, output }: ModelTokens): void {
    this.#tokens.inc({ vendor, direction: 'input' }, input)
    this.#tokens.inc({ vendor, direction: 'output' }, output)
  }
}

const QUEUES = {
  deliveries: 'Delivery marks',
  reversals: 'Holds and charges to be reversed',
  refunds: 'Refunds of undelivered answers',
} as const

/** Caches series by their labels: the library's lookup costs more than counting. */
class Made<T> {
  readonly #made = new Map<string, T>()

  of(name: string, make: () => T): T {
    const known = this.#made.get(name)
    if (known !== undefined) return known
    const made = make()
    this.#made.set(name, made)
    return made
  }
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])

function byPart(
  name: string,
  help: string,
  value: (state: DiskState) => number,
  { disks, registers }: { readonly disks: GaugeSources['disks']; readonly registers: Registry[] },
): void {
  new Gauge({
    name,
    help,
    labelNames: ['part'],
    registers,
    collect() {
      for (const state of disks()) this.set({ part: state.part }, value(state))
    },
  })
}

function gauge(name: string, help: string, read: () => number, registers: Registry[]): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read())
    },
  })
}

/** A counter whose value is kept elsewhere. */
function counter(name: string, help: string, read: () => number, registers: Registry[]): void {
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}
