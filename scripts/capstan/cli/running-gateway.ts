import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../../core/config/types.js'
import { OWNER_SOCKET, ownerSocketPath } from '../../../core/runtime/sockets.js'
import { Type, type Static, type TSchema } from '../../../core/sdk/schema.js'
import { SchemaCompiler } from '../../../core/sdk/validate.js'
import { Failure } from './failure.js'
import { webAddress } from './gateway-url.js'
import { GatewayClient, NoGateway, type GatewayCall } from './gateway-client.js'
import { adminRefusal } from './refusal.js'
import type { Shell } from './shell.js'

/** Longest wait for the head of an answer of the admin API, in milliseconds. */
const HEAD_MS = 5_000
/** A read-only request that every gateway answers at once. */
const TRY = { method: 'GET', path: '/admin/v1/audit?limit=1', headMs: 1_500 } as const

/** A running gateway, accessed as its operator. */
export interface RunningGateway {
  /** The path of its socket, or its address. */
  readonly place: string
  /** The answer to a request of the admin API. Throws a Failure with the detail of a refusal, and when the answer has an unexpected form. */
  request<S extends TSchema>(call: GatewayCall, shape: S): Promise<Static<S>>
  close(): Promise<void>
}

/** Why no running gateway was reached. */
interface NotReached {
  readonly reason: string
}

/** The running gateway of this configuration: by the socket in its data folder, else by the admin token at its address. */
export async function findGateway(shell: Shell, config: Config): Promise<RunningGateway | NotReached> {
  const bySocket = await reachBySocket(config.settings.data)
  if ('request' in bySocket) return bySocket
  const token = config.settings.server.admin_token
  if (token === null) return { reason: `${bySocket.reason}; to reach one on another machine set CAPSTAN_ADMIN_TOKEN` }
  const byToken = await reachByToken(addressOf(shell, config), token)
  return 'request' in byToken ? byToken : { reason: `${bySocket.reason}; ${byToken.reason}` }
}

async function reachBySocket(folder: string): Promise<RunningGateway | NotReached> {
  const place = join(folder, OWNER_SOCKET)
  if (!existsSync(place)) return { reason: `no gateway listens at ${place}` }
  try {
    const { path, close } = ownerSocketPath(folder)
    const client = new GatewayClient('http://gateway', { socket: path })
    return await reached({ client, place, close })
  } catch (error) {
    return { reason: unreachable(place, error) }
  }
}

function unreachable(place: string, error: unknown): string {
  const why = error instanceof NoGateway ? error.why : error instanceof Error ? error.message : String(error)
  if (why === 'ECONNREFUSED') return `the gateway at ${place} is no longer running`
  if (why === 'EACCES') return `${place} belongs to another user: run this as the user of the gateway`
  return `the gateway at ${place} does not answer (${why})`
}

async function reachByToken(base: string, key: string): Promise<RunningGateway | NotReached> {
  try {
    return await reached({ client: new GatewayClient(base), place: base, key, close: () => undefined })
  } catch (error) {
    if (error instanceof NoGateway) return { reason: `none answers at ${base} (${error.why}); set CAPSTAN_URL to its address` }
    if (error instanceof Failure) return { reason: `the one at ${base} refused CAPSTAN_ADMIN_TOKEN: ${error.message}` }
    throw error
  }
}

/** The address of the admin API: CAPSTAN_URL, else from the settings. */
function addressOf({ io }: Shell, { settings: { server } }: Config): string {
  const named = io.env['CAPSTAN_URL']
  if (named !== undefined && named !== '') return webAddress(named)
  const onAdminPort = server.admin_api === 'private'
  const host = onAdminPort ? server.admin_host : server.host
  const tcpPort = onAdminPort ? (server.admin_port ?? server.port + 1) : server.port
  const shown = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${tcpPort}`
}

interface Reach {
  readonly client: GatewayClient
  readonly place: string
  readonly key?: string
  readonly close: () => void
}

async function reached({ client, place, key, close }: Reach): Promise<RunningGateway> {
  const compiler = new SchemaCompiler()
  const gateway: RunningGateway = {
    place,
    request: async (call, shape) => {
      const { status, body } = await client.call({ headMs: HEAD_MS, ...call, ...(key === undefined ? {} : { key }) })
      if (status !== 200) throw adminRefusal(body, status)
      const validator = compiler.compile(shape)
      if (validator.check(body)) return body
      throw new Failure(
        `the gateway at ${place} is of another version: its answer to ${call.path} has another form (${validator.explain()})`,
      )
    },
    close: async () => {
      await client.close()
      close()
    },
  }
  try {
    await gateway.request(TRY, Type.Unknown())
    return gateway
  } catch (error) {
    await gateway.close()
    throw error
  }
}
