import { resolve } from 'node:path'
import type { Gateway } from '../gateway/start.js'
import { load, type Target } from './load.js'

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

/**
 * Loads this build and another one in turn, so many rounds, and prints the median of the ratios of their requests per second. Both run at
 * the same time, but only one is loaded at any moment.
 */
export async function compare(
  builds: { readonly here: Furnished; readonly there: Furnished; readonly folder: string },
  options: { readonly seconds: number; readonly rounds: number },
): Promise<void> {
  const targets = [targetOf('this build', builds.here), targetOf(resolve(builds.folder), builds.there)] as const
  for (const target of targets) await load(target, Math.min(3, options.seconds))
  const ratios: number[] = []
  for (let round = 0; round < options.rounds; round++) {
    const [first, second] = round % 2 === 0 ? targets : ([targets[1], targets[0]] as const)
    const figures = new Map([[first.name, await load(first, options.seconds)]])
    figures.set(second.name, await load(second, options.seconds))
    const [here = 0, there = 0] = targets.map(({ name }) => figures.get(name)?.perSecond)
    ratios.push(here / there)
    const [ours, theirs] = targets.map(({ name }) => figures.get(name))
    process.stdout.write(
      `round ${round + 1}: ${here.toFixed(0)} and ${there.toFixed(0)} requests/s, ratio ${(here / there).toFixed(3)}; CPU ${ours?.cpuMsPerRequest.toFixed(3)} and ${theirs?.cpuMsPerRequest.toFixed(3)} ms a request; p99 ${ours?.p99} and ${theirs?.p99} ms\n`,
    )
  }
  process.stdout.write(`median ratio ${middle(ratios).toFixed(3)} over ${options.rounds} alternating rounds of ${options.seconds} s\n`)
}
