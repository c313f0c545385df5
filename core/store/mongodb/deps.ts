import type { Collections } from './collections.js'
import type { OpenHolds } from './open-holds.js'
import type { Publisher } from './publisher.js'

export type Log = (message: string, fields: Readonly<Record<string, unknown>>) => void

/** What the commands of one store share. */
export interface MongoDeps {
  readonly tables: Collections
  readonly holds: OpenHolds
  readonly publisher: Publisher
  readonly log: Log
}
