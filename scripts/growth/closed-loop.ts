import { paidCall, type Sender } from '../gateway/sender.js'
import { quantile } from '../open-loop.js'

export interface ClosedFigures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** Calls that are under way at any moment. */
export const CONNECTIONS = 16

/** So many paid calls with the keys in turn, the next one when one is answered. Rejects when one fails. */
export async function closedLoop(sender: Sender, keys: readonly string[], calls: number): Promise<ClosedFigures> {
  const latencies: number[] = []
  let next = 0
  const began = performance.now()
  const work = async (): Promise<void> => {
    while (next < calls) {
      const key = keys[next++ % keys.length] ?? ''
      const sent = performance.now()
      const status = await sender.post(paidCall(key))
      if (status !== 200) throw new Error(status === 0 ? 'a paid call was not answered' : `a paid call was answered ${status}`)
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const perSecond = (calls * 1000) / (performance.now() - began)
  return { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}
