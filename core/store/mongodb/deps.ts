import type { Log } from '../../runtime/log-events.js'
import type { Collections } from './collections.js'
import type { Deliveries } from './deliveries.js'
import type { OpenHolds } from './open-holds.js'
import type { Publisher } from './publisher.js'
import type { Publishing } from './publishing.js'
import type { ServerClock } from './server-clock.js'

/** What the commands of one store share. */
export interface MongoDeps {
  readonly tables: Collections
  readonly holds: OpenHolds
  readonly publisher: Publisher
  readonly publishing: Publishing
  readonly deliveries: Deliveries
  readonly clock: ServerClock
  readonly log: Log
}
