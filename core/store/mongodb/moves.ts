import type { Connection } from 'mongoose'
import { StoreRefused } from '../refused.js'
import { within } from './deadline.js'
import { mapFailure } from './failure.js'

/** Throws StoreRefused during and after an interrupted move to this database: half a ledger must not be served. */
export async function refuseUnfinishedMove(connection: Connection, ms: number): Promise<void> {
  const moves = connection.db?.collection<{ _id: string; state: string; from: string }>('moves')
  if (moves === undefined) return
  const mark = await within(ms, moves.findOne({ _id: 'move' })).catch((error: unknown) => {
    throw mapFailure(error)
  })
  if (mark?.state === 'running')
    throw new StoreRefused(
      `the database the store setting (CAPSTAN_STORE) names holds an unfinished move from ${mark.from}: wait for it, or give capstan store move again`,
    )
}
