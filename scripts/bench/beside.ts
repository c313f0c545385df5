import { resolve } from 'node:path'
import type { Gateway } from '../gateway/start.js'
import { load, type Figures, type Target } from './load.js'

/** A gateway under test with the keys that the load is spread over. */
export interface Furnished extends Gateway {
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
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Starts a gateway of one build and furnishes it. */
export type Begin = () => Promise<Furnished>

/**
 * Loads this build and another one in turn, so many rounds, and prints the median of the ratios of their requests per second. Only one is
 * loaded at any moment. Each round starts both anew: what the compiler and the memory of one process come to be makes a tenth and more.
 */
export async function compare(
  builds: { readonly here: Begin; readonly there: Begin; readonly folder: string },
  options: { readonly seconds: number; readonly rounds: number },
): Promise<void> {
  const ratios: number[] = []
  for (let round = 0; round < options.rounds; round++) {
    const [here, there] = [await builds.here(), await builds.there()]
    try {
      const targets = [targetOf('this build', here), targetOf(resolve(builds.folder), there)] as const
      const order = round % 2 === 0 ? targets : targets.toReversed()
      for (const target of order) await load(target, Math.min(3, options.seconds))
      const figures = new Map<string, Figures>()
      for (const target of order) figures.set(target.name, await load(target, options.seconds))
      const [ours, theirs] = targets.map(({ name }) => figures.get(name))
      if (ours === undefined || theirs === undefined) throw new Error('a build was not loaded')
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
