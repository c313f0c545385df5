import { must } from '../../gateway/start.js'
import type { BenchGateway } from './gateway.js'
import { medianMs, row, type Say } from './figure.js'

/** What `poll` and `gather` add to the requests of the vendors: a job that is done at the first poll, and five vendors that take 200 ms each. */
export async function benchSdk(gateway: BenchGateway, say: Say): Promise<void> {
  const call = (path: string) => (): Promise<unknown> => must(`${gateway.url}/v1/bench/${path}`, gateway.key, { name: 'a' })
  const unpolled = await medianMs(call('unpolled'))
  const polled = await medianMs(call('polled'))
  say(row('a poll of a job that is done, above the same two requests without it', Math.max(0, polled - unpolled), { most: 50, unit: 'ms' }))
  say(row('gather over 5 vendors of 200 ms', await medianMs(call('gathered')), { most: 260, unit: 'ms' }))
}
