import { AbsentStore, type OutageLink } from './outage-link.js'
import { OutageWorld } from './outage-world.js'

export interface OutageOrder {
  /** Closed at the end. */
  readonly link: OutageLink
  /** Of the gateway's clock. */
  readonly seconds: number
  /** A divisor of 1000, for times are whole milliseconds. */
  readonly callsPerSecond: number
  readonly onProgress?: (seconds: number) => void
}

export interface OutageReport {
  /** Calls begun while the store was away, and those of them that were refused with 503. */
  readonly calls: number
  readonly refused: number
  /** Most that waited at once to be undone, and to be marked as delivered. */
  readonly reversals: number
  readonly deliveries: number
  /** Left to the sweeper because too many waited. */
  readonly dropped: number
  /** What the heap grew by between the first minute (at most a tenth of the time) and the end of the outage, in MiB. */
  readonly grownMiB: number
  /** From the store's return until nothing waited and nothing was held, in seconds of the gateway's clock. */
  readonly settledSeconds: number
  /** The balance of all accounts against what their callers were answered, and all that the auditor says. */
  readonly problems: readonly string[]
}

/** A gateway under load whose store goes away for long and comes back; time passes by its clock, so that half an hour takes a minute. */
export async function outage(order: OutageOrder): Promise<OutageReport> {
  const absent = new AbsentStore(order.link.store)
  const world = await OutageWorld.open(absent, order)
  try {
    await world.before()
    absent.absence = 'replies lost'
    await world.away()
    absent.absence = null
    return await world.after()
  } finally {
    await world.close()
    await order.link.direct.close()
  }
}
