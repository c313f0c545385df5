import type { Gateway } from '../gateway/start.js'
import { load, type Figures, type Target } from './load.js'

/** A gateway under test with the keys that the load is spread over. */
interface Furnished extends Gateway {
  readonly keys: readonly string[]
}

const json = { 'content-type': 'application/json' }
const body = JSON.stringify({ prompt: 'hello' })

function targetOf(name: string, gateway: Furnished): Target {
  const requests = gateway.keys.map((key) => ({
    method: 'POST' as const,
    path: '/v1/bench/echo',
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

/** The figures of slices of the same length: their mean, and the worst p99. */
function together(slices: readonly Figures[]): Pick<Figures, 'perSecond' | 'cpuMsPerRequest' | 'p99'> {
  const mean = (pick: (figures: Figures) => number): number => slices.reduce((sum, one) => sum + pick(one), 0) / slices.length
  const perSecond = mean((figures) => figures.perSecond)
  return {
    perSecond,
    cpuMsPerRequest: mean((figures) => figures.cpuMsPerRequest * figures.perSecond) / perSecond,
    p99: Math.max(...slices.map(({ p99 }) => p99)),
  }
}

/** Starts a gateway and furnishes it. */
type Begin = () => Promise<Furnished>

async function begun({ here, there }: { here: Begin; there: Begin }, hereFirst: boolean): Promise<{ here: Furnished; there: Furnished }> {
  if (hereFirst) return { here: await here(), there: await there() }
  const other = await there()
  return { here: await here(), there: other }
}

/**
 * Loads two gateways in turn, so many rounds, and prints the median of the ratios of their requests per second. Only one is loaded at any
 * moment. Each round starts both anew: what the compiler and the memory of one process come to be makes a tenth and more.
 * Within a round they take turns every second, since a shared machine is faster in one five seconds than in the next. Which is started and
 * warmed first changes from round to round: the first is the slower one by some hundredths, whatever it is.
 */
export async function compare(
  builds: { readonly here: Begin; readonly there: Begin; readonly names: readonly [here: string, there: string] },
  options: { readonly seconds: number; readonly rounds: number },
): Promise<void> {
  const ratios: number[] = []
  for (let round = 0; round < options.rounds; round++) {
    const { here, there } = await begun(builds, round % 2 === 0)
    try {
      const targets = [targetOf(builds.names[0], here), targetOf(builds.names[1], there)] as const
      for (const target of round % 2 === 0 ? targets : targets.toReversed()) await load(target, Math.min(3, options.seconds))
      const slices: { readonly ours: Figures[]; readonly theirs: Figures[] } = { ours: [], theirs: [] }
      for (let second = 0; second < options.seconds; second++) {
        const ourTurn = async (): Promise<unknown> => slices.ours.push(await load(targets[0], 1))
        const theirTurn = async (): Promise<unknown> => slices.theirs.push(await load(targets[1], 1))
        // Whoever begins one second ends the next.
        for (const turn of (round + second) % 2 === 0 ? [ourTurn, theirTurn] : [theirTurn, ourTurn]) await turn()
      }
      const [ours, theirs] = [together(slices.ours), together(slices.theirs)]
      const ratio = ours.perSecond / theirs.perSecond
      ratios.push(ratio)
      process.stdout.write(
        `round ${round + 1}: ${ours.perSecond.toFixed(0)} and ${theirs.perSecond.toFixed(0)} requests/s, ratio ${ratio.toFixed(3)}; CPU ${ours.cpuMsPerRequest.toFixed(3)} and ${theirs.cpuMsPerRequest.toFixed(3)} ms a request; p99 ${ours.p99} and ${theirs.p99} ms\n`,
      )
    } finally {
      await Promise.all([here.stop(), there.stop()])
    }
  }
  process.stdout.write(
    `median ratio ${middle(ratios).toFixed(3)} over ${options.rounds} rounds of ${options.seconds} s, each on new processes\n`,
  )
}
