import { Redis } from 'ioredis'
import type { Clock } from '../runtime/clock.js'
import { ConfigError } from '../problems/errors.js'
import type { Log } from '../runtime/log-events.js'
import { redisAddress, type RedisAddress } from './address.js'
import { RedisConnection } from './connection.js'

const CONNECT_MS = 500
/** Limit of the handshake after a connect; commands have a shorter one (connection.ts says why not this one). */
const HANDSHAKE_MS = 500
/** A connection with an open command and no data for this long counts as dead and is replaced. */
const SILENCE_MS = 2_000
const RECONNECT_FIRST_MS = 50
const RECONNECT_MOST_MS = 2_000
/** Redis's errors for a wrong user, password or database, which waiting does not fix. */
const REFUSED = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR DB index|ERR AUTH)/

interface RedisOptions {
  readonly url: string
  /** Name of the setting, for messages. */
  readonly setting: string
  readonly clock: Clock
  readonly log: Log
}

/**
 * Connects to Redis, waiting about a second at most. An unreachable Redis does not prevent a start: the link is then
 * degraded and keeps trying. Throws a ConfigError for an invalid address and for credentials that Redis refuses.
 */
export async function openRedis({ url, setting, clock, log }: RedisOptions): Promise<RedisConnection> {
  const address = redisAddress(url, setting)
  const connection = new RedisConnection(clientOf(address), { setting, password: address.password, clock, log })
  await connection.firstAnswer(CONNECT_MS + HANDSHAKE_MS + 100)
  const { fault } = connection
  if (fault === null || !REFUSED.test(fault)) {
    connection.warnIfAlone()
    return connection
  }
  connection.close()
  throw new ConfigError([
    { where: setting, message: `Redis refused the user, password or database of this setting: ${fault}`, level: 'error' },
  ])
}

/** A client that never queues, resends or waits: a command is answered now or fails. */
function clientOf({ host, port, username, password, db, tls }: RedisAddress): Redis {
  return new Redis({
    host,
    port,
    db,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: CONNECT_MS,
    commandTimeout: HANDSHAKE_MS,
    socketTimeout: SILENCE_MS,
    disconnectTimeout: CONNECT_MS,
    // The first command shows whether the server is still loading, and the user may lack the right to INFO.
    enableReadyCheck: false,
    disableClientInfo: true,
    retryStrategy: (attempt) => {
      const most = Math.min(RECONNECT_FIRST_MS * 2 ** (attempt - 1), RECONNECT_MOST_MS)
      return Math.round(most / 2 + (Math.random() * most) / 2)
    },
  })
}
