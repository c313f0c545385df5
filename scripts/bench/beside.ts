import type { Gateway } from '../gateway/start.js'
import { load, type Figures, type Target } from './load.js'

/** A gateway under test with the keys that the load is spread over. */
interface Furnished extends Gateway {
  readonly keys: readonly string[]
}

/** What a gateway is started with so that `search` has one engine: the upstream. */
export const oneEngine = (upstream: string): Record<string, string> => ({
  CAPSTAN_VENDOR_SERPER_URL: upstream,
  CAPSTAN_WATERFALL_SEARCH_SERP: 'serper',
  SERPER_API_KEY: 'benchmark',
})

const WARM_UP_CALLS = 3_000
const CALLS_A_TURN = 500
const json = { 'content-type': 'application/json' }
const body = JSON.stringify({ query: 'hello', mode: 'serp' })

function targetOf(name: string, gateway: Furnished): Target {
  const requests = gateway.keys.map((key) => ({
    method: 'POST' as const,
    path: '/v1/search',
    headers: { ...json, authorization: `Bearer ${key}` },
    body,
  }))
  return { ...gateway, name, requests }
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2)].map((place) => sorted[place] ?? 0)
  return ((low ?? 0) + (high ?? 0)) / 2
}

/** The figures of turns of the same length: medians, the most memory and all failures. */
function together(turns: readonly Figures[]): Pick<Figures, 'perSecond' | 'cpuMsPerRequest' | 'mib' | 'failures'> {
  return {
    perSecond: middle(turns.map(({ perSecond }) => perSecond)),
    cpuMsPerRequest: middle(turns.map(({ cpuMsPerRequest }) => cpuMsPerRequest)),
    mib: Math.max(...turns.map(({ mib }) => mib)),
    failures: turns.reduce((sum, { failures }) => sum + failures, 0),
  }
}

/** Starts a gateway and furnishes it. */
type Begin = () => Promise<Furnished>

async function begun({ here, there }: { here: Begin; there: Begin }, hereFirst: boolean): Promise<{ here: Furnished; there: Furnished }> {
  if (hereFirst) return { here: await here(), there: await there() }
  const other = await there()
  return { here: await here(), there: other }
}

interface Round {
  readonly perSecond: number
  readonly cpu: number
  readonly relayed: readonly [here: number, there: number]
  readonly mib: readonly [here: number, there: number]
  readonly readyMs: number
}

/**
 * Loads two gateways and the relay in turn, so many rounds, with a paid call that goes through a handler, a port and a vendor, and prints
 * the medians of the ratios of requests per second and of processor time a request. Only one is loaded at any moment. Each round starts both
 * gateways anew: what the compiler and the memory of one process come to be makes a tenth and more.
 * Within a round they take turns of so many calls, since a shared machine is faster in one five seconds than in the next, and since a gateway
 * that answered fewer calls has less of its code compiled. Which is started and warmed first changes from round to round: the first is the
 * slower one by some hundredths, whatever it is.
 */
export async function compare(
  builds: { readonly here: Begin; readonly there: Begin; readonly names: readonly [here: string, there: string] },
  relayUrl: { readonly url: string; readonly pid: number },
  options: { readonly turns: number; readonly rounds: number },
): Promise<void> {
  const relay: Target = { ...relayUrl, name: 'relay', requests: [{ method: 'POST', path: '/search', headers: json, body }] }
  const rounds: Round[] = []
  for (let round = 0; round < options.rounds; round++) {
    const { here, there } = await begun(builds, round % 2 === 0)
    try {
      const targets = [targetOf(builds.names[0], here), targetOf(builds.names[1], there), relay]
      const order = round % 2 === 0 ? targets : targets.toReversed()
      for (const target of order) await load(target, { amount: WARM_UP_CALLS })
      const turns = new Map<Target, Figures[]>(targets.map((target) => [target, []]))
      for (let turn = 0; turn < options.turns; turn++)
        // Whoever begins one turn ends the next.
        for (const target of turn % 2 === 0 ? order : order.toReversed())
          turns.get(target)?.push(await load(target, { amount: CALLS_A_TURN }))
      const [ours, theirs, bare] = targets.map((target) => together(turns.get(target) ?? []))
      if (ours === undefined || theirs === undefined || bare === undefined) throw new Error('a target was not loaded')
      rounds.push({
        perSecond: ours.perSecond / theirs.perSecond,
        cpu: ours.cpuMsPerRequest / theirs.cpuMsPerRequest,
        relayed: [ours.perSecond / bare.perSecond, theirs.perSecond / bare.perSecond],
        mib: [ours.mib, theirs.mib],
        readyMs: here.readyMs / there.readyMs,
      })
      process.stdout.write(
        `round ${round + 1}: ${ours.perSecond.toFixed(0)} and ${theirs.perSecond.toFixed(0)} requests/s, relay ${bare.perSecond.toFixed(0)}; ` +
          `CPU ${ours.cpuMsPerRequest.toFixed(3)} and ${theirs.cpuMsPerRequest.toFixed(3)} ms a request, relay ${bare.cpuMsPerRequest.toFixed(3)}; ` +
          `${ours.mib.toFixed(0)} and ${theirs.mib.toFixed(0)} MiB; ${ours.failures} and ${theirs.failures} failed; ready in ${here.readyMs.toFixed(0)} and ${there.readyMs.toFixed(0)} ms\n`,
      )
    } finally {
      await Promise.all([here.stop(), there.stop()])
    }
  }
  const of = (pick: (round: Round) => number): string => middle(rounds.map(pick)).toFixed(3)
  process.stdout.write(
    `medians of ${options.rounds} rounds of ${options.turns * CALLS_A_TURN} calls, each on new processes: requests/s ${of(({ perSecond }) => perSecond)}, ` +
      `processor time a request ${of(({ cpu }) => cpu)}, time to ready ${of(({ readyMs }) => readyMs)}; ` +
      `of the relay's requests/s ${of(({ relayed }) => relayed[0])} and ${of(({ relayed }) => relayed[1])}; ` +
      `resident ${of(({ mib }) => mib[0])} and ${of(({ mib }) => mib[1])} MiB\n`,
  )
}
