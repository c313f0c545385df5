import { cpuMs } from '../gateway/process.js'
import { Sender, type LoadRequest } from '../gateway/sender.js'
import { openLoop, quantile } from '../open-loop.js'

/** What the gateway may add to the upstream's answers, in milliseconds. */
const GOALS = { p50: 3, p99: 12 }
/** Connections of one load. Calls beyond them wait, and their latency counts. */
const CONNECTIONS = 512
const WARM_SECONDS = 3

/** A server called at a fixed rate, with the requests that are sent to it in turn. */
export interface OpenTarget {
  readonly name: string
  readonly url: string
  readonly pid: number
  readonly requests: readonly LoadRequest[]
}

interface OpenFigures {
  readonly p50: number
  readonly p99: number
  /** How late the client itself sent, in milliseconds; contained in the latencies. */
  readonly late: number
  readonly cpuMsPerRequest: number
  readonly failures: number
}

export interface OpenOptions {
  readonly rate: number
  readonly seconds: number
  readonly rounds: number
}

/** Latencies of one target at a fixed rate, each from the moment for which the call was scheduled. */
async function measure({ url, pid, requests }: OpenTarget, perSecond: number, seconds: number): Promise<OpenFigures> {
  const sender = new Sender(url, CONNECTIONS)
  const latencies: number[] = []
  const late: number[] = []
  let failures = 0
  const before = cpuMs(pid)
  await openLoop({ perSecond, seconds }, async (scheduled, turn) => {
    const request = requests[turn % requests.length]
    if (request === undefined) throw new Error('a load needs a request')
    late.push(performance.now() - scheduled)
    if ((await sender.post(request)) === 200) latencies.push(performance.now() - scheduled)
    else failures++
  })
  const cpuMsPerRequest = (cpuMs(pid) - before) / (latencies.length + failures)
  await sender.close()
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), late: quantile(late, 0.99), cpuMsPerRequest, failures }
}

/** One round: each target in turn, and what each is above the first of them. */
async function round(targets: readonly OpenTarget[], first: number, options: OpenOptions): Promise<Map<string, OpenFigures>> {
  const figures = new Map<string, OpenFigures>()
  // Who begins changes from round to round.
  for (let turn = 0; turn < targets.length; turn++) {
    const target = targets[(first + turn) % targets.length]
    if (target !== undefined) figures.set(target.name, await measure(target, options.rate, options.seconds))
  }
  return figures
}

/**
 * Calls the bare upstream, a relay and the gateway in turn at the same rate and prints what the others are above the upstream in each round,
 * and the gateway's best round against the goals. The targets are `upstream`, `relay` and `capstan`.
 */
export async function measureOpen(targets: readonly OpenTarget[], options: OpenOptions): Promise<void> {
  for (const target of targets) await measure(target, options.rate, Math.min(WARM_SECONDS, options.seconds))
  const above: { p50: number; p99: number; failures: number }[] = []
  process.stdout.write(
    '| round | target | p50 ms | p99 ms | p50 above upstream | p99 above upstream | sent late p99 ms | CPU ms a request | failures |\n|---|---|---|---|---|---|---|---|---|\n',
  )
  for (let turn = 0; turn < options.rounds; turn++) {
    const figures = await round(targets, turn, options)
    const bare = figures.get('upstream')
    if (bare === undefined) throw new Error('the upstream is not among the targets')
    for (const { name } of targets) {
      const row = figures.get(name)
      if (row === undefined) continue
      const over = { p50: row.p50 - bare.p50, p99: row.p99 - bare.p99, failures: row.failures + bare.failures }
      if (name === 'capstan') above.push(over)
      const cells = [turn + 1, name, ...[row.p50, row.p99, over.p50, over.p99, row.late].map((ms) => ms.toFixed(2))]
      process.stdout.write(`| ${[...cells, row.cpuMsPerRequest.toFixed(3), row.failures].join(' | ')} |\n`)
    }
  }
  process.stdout.write(`${verdict(above)}\n`)
}

/** The round with the smallest p99 above the upstream, against the goals; a round with failures counts for nothing. */
export function verdict(rounds: readonly { readonly p50: number; readonly p99: number; readonly failures: number }[]): string {
  const [best] = rounds.filter(({ failures }) => failures === 0).toSorted((one, other) => one.p99 - other.p99)
  if (best === undefined) return 'missed: calls failed in every round'
  const reached = best.p50 <= GOALS.p50 && best.p99 <= GOALS.p99
  return `${reached ? 'reached' : 'missed'}: in the best of ${rounds.length} rounds p50 is ${best.p50.toFixed(2)} ms (goal ${GOALS.p50}) and p99 ${best.p99.toFixed(2)} ms (goal ${GOALS.p99}) above the upstream`
}
