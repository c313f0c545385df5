import type { Connection } from 'mongoose'
import type { CallerClock } from './server-clock.js'
import { StoreRefused, StoreUnavailable } from '../types.js'
import { adminCommand, type Timeouts } from './connection.js'
import { isForbidden } from './failure.js'
import type { CommandOptions } from './table.js'

/** Kind and version of the server, read once on opening. */
interface Topology {
  /** Name of the replica set, `sharded cluster`, or null for a single server. */
  readonly set: string | null
  readonly version: string
}

/** The topology, and the server's time in its reply, in Unix ms, or null. */
interface MeasuredTopology extends Topology {
  readonly time: number | null
}

/** Clocks that differ by more than this would make deadlines of holds meaningless. */
const CLOCK_APART_MS = 10_000

/** Replies to `hello`, `buildInfo` and, if permitted, `serverStatus`; and this machine's clock before and after. */
interface Answers {
  readonly hello: Readonly<Record<string, unknown>>
  readonly build: Readonly<Record<string, unknown>>
  readonly status: Readonly<Record<string, unknown>> | null
  readonly before: number
  readonly after: number
}

/** Reads the topology. Rejects with StoreRefused when the server's clock is far off or its data is in memory only. */
export async function readTopology(connection: Connection, clock: CallerClock, timeouts: Timeouts): Promise<MeasuredTopology> {
  const before = clock.now()
  const simulated = clock.serverTime?.()
  const reply = await adminCommand(connection, { hello: 1 }, timeouts.tripMs)
  const hello = simulated === undefined ? reply : { ...reply, localTime: new Date(simulated) }
  const after = clock.now()
  const status = await adminCommand(connection, { serverStatus: 1 }, timeouts.tripMs).catch(notAllowed)
  const build = await adminCommand(connection, { buildInfo: 1 }, timeouts.tripMs)
  const time = hello['localTime'] instanceof Date ? hello['localTime'].getTime() : null
  return { ...topologyOf({ hello, build, status, before, after }), time }
}

/** The topology in the server's replies. Throws StoreRefused like `readTopology`. */
export function topologyOf({ hello, build, status, before, after }: Answers): Topology {
  refuseClock(hello['localTime'], before, after)
  const engine: unknown = status?.['storageEngine']
  if (typeof engine === 'object' && engine !== null && 'persistent' in engine && engine.persistent === false) {
    throw new StoreRefused('the MongoDB server keeps its data in memory only: use one with the WiredTiger storage engine and its journal')
  }
  const version = build['version']
  return { set: setOf(hello), version: typeof version === 'string' ? version : 'of an unknown version' }
}

function setOf(hello: Readonly<Record<string, unknown>>): string | null {
  if (hello['msg'] === 'isdbgrid') return 'sharded cluster'
  return typeof hello['setName'] === 'string' ? hello['setName'] : null
}

function refuseClock(theirs: unknown, before: number, after: number): void {
  if (!(theirs instanceof Date)) return
  const apart = Math.max(before - theirs.getTime(), theirs.getTime() - after)
  if (apart <= CLOCK_APART_MS) return
  throw new StoreRefused(
    `the clocks of this machine and of the MongoDB server are ${Math.round(apart / 1000)} s apart, at most ${CLOCK_APART_MS / 1000} s are allowed: synchronise them`,
  )
}

/** Ignores a missing right to `serverStatus`: a server without a journal refuses the first write anyway. */
function notAllowed(error: unknown): null {
  if (error instanceof StoreUnavailable && isForbidden(error.cause)) return null
  throw error
}

/** Options of every command: writes are acknowledged when in the journal of a majority, or of the single server. */
export function commandOptions(topology: Topology, timeouts: Timeouts): CommandOptions {
  const { tripMs, serverMs } = timeouts
  if (topology.set === null) return { tripMs, serverMs, writeConcern: { w: 1, j: true } }
  return { tripMs, serverMs, writeConcern: { w: 'majority', j: true, wtimeoutMS: serverMs } }
}

/** The topology and its durability, in one line. */
export function describeTopology(place: string, { set, version }: Topology): string {
  const promise =
    set === null
      ? 'a single server, every change in its journal before it is acknowledged (w:1, j:true); one disk holds it all'
      : `${set === 'sharded cluster' ? set : `replica set ${set}`}, every change in the journal of a majority before it is acknowledged (w:majority, j:true)`
  return `MongoDB ${version} at ${place}: ${promise}; commands are never repeated by the driver (retryWrites=false)`
}
