import { randomBytes } from 'node:crypto'
import { withDatabase } from '../../test/support/mongodb.js'
import { MongoServer, mongoProgram } from '../../test/support/mongodb-server.js'
import { startRedis } from '../../test/support/redis.js'
import { startGateway, type Gateway } from './start.js'

/** A database and a Redis for several gateways, in processes of their own on loopback; CAPSTAN_TEST_MONGODB names another database server. */
export interface SharedParts {
  /** Address of the database. */
  readonly uri: string
  readonly adminToken: string
  /** Starts a gateway on them; on an empty folder of its own. */
  replica(upstream: string): Promise<Gateway>
  stop(): Promise<void>
}

/** The server of the tests does some 600 updates a second: many concurrent updates take longer than a gateway waits by default. */
const PATIENCE = '&serverSelectionTimeoutMS=5000&socketTimeoutMS=20000'

/** Starts what replicas share. Throws when the programs are not there: `npm test` installs them. */
export async function startShared(): Promise<SharedParts> {
  const named = process.env['CAPSTAN_TEST_MONGODB'] ?? ''
  const program = mongoProgram()
  if (named === '' && program === null)
    throw new Error('no MongoDB server: set CAPSTAN_TEST_MONGODB to its address, or run npm test once, which installs one')
  const redis = await startRedis()
  const server = named === '' && program !== null ? await MongoServer.start({ program }) : null
  const name = `capstan_${randomBytes(6).toString('hex')}`
  const uri = server === null ? withDatabase(named, name) : `${server.uri(name)}${PATIENCE}`
  const adminToken = `adm_${randomBytes(24).toString('hex')}`
  const env = { CAPSTAN_STORE: uri, CAPSTAN_REDIS: redis.url, CAPSTAN_ADMIN_TOKEN: adminToken }
  return {
    uri,
    adminToken,
    replica: (upstream) => startGateway({ upstream, env }),
    stop: async () => {
      await redis.close()
      await server?.end()
    },
  }
}
