import autocannon, { type Request, type Result } from 'autocannon'
import { cpuMs, residentMib } from '../gateway/process.js'

/** Something to be loaded: requests that are sent in turn. */
export interface Target {
  readonly name: string
  readonly url: string
  readonly pid: number
  readonly requests: readonly Request[]
}

/** The end of a load of so many calls is seen at a sample. */
const SAMPLE_MS = 20

export interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuMsPerRequest: number
  readonly mib: number
  readonly failures: number
}

/** Loads a target over so many connections, for so many seconds (`duration`) or calls (`amount`). Failed requests are counted apart. */
export async function load(
  { url, pid, requests }: Target,
  length: { readonly duration: number } | { readonly amount: number },
  connections = 50,
): Promise<Figures> {
  const before = cpuMs(pid)
  const result: Result = await autocannon({ url, connections, ...length, sampleInt: SAMPLE_MS, requests: [...requests] })
  const failures = result.non2xx + result.errors
  const succeeded = result.requests.total - failures
  return {
    perSecond: succeeded / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMsPerRequest: (cpuMs(pid) - before) / Math.max(1, succeeded),
    mib: residentMib(pid),
    failures,
  }
}

/** The median of each figure over rounds. */
export function median(rounds: readonly Figures[]): Figures {
  const middle = (pick: (figures: Figures) => number): number =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor((rounds.length - 1) / 2)] ?? 0
  return {
    perSecond: middle((figures) => figures.perSecond),
    p50: middle((figures) => figures.p50),
    p99: middle((figures) => figures.p99),
    cpuMsPerRequest: middle((figures) => figures.cpuMsPerRequest),
    mib: middle((figures) => figures.mib),
    failures: rounds.reduce((sum, figures) => sum + figures.failures, 0),
  }
}
