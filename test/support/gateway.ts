import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type App, type Overrides } from '../../core/app.js'
import { auditStore } from '../../scripts/capstan/audit/store.js'
import { mcp } from '../../scripts/capstan/mcp/endpoint.js'
import { loadConfig } from '../../core/config/load.js'
import type { FirstRun } from '../../core/lifecycle/first-start.js'
import type { Envelope } from '../../core/calls/envelope.js'
import { httpServer } from '../../core/http/server.js'
import { packageRoot } from '../../core/runtime/root.js'
import { scriptedRegistry, type Script } from './test-plugin.js'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly trailers: NodeJS.Dict<string>
  /** The body as JSON; throws when it is none. */
  json<T = Envelope>(): T
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  /** A value is sent as JSON; a string as it is. */
  readonly body?: unknown
  /** Null sends no key; undefined the first key. */
  readonly key?: string | null
}

/** A gateway listening on loopback, with scripted providers and a database in a folder of its own. */
export interface TestGateway {
  readonly app: App
  /** What its start made, which counts as shown; null when an earlier start, or another gateway, made it. */
  readonly firstRun: FirstRun | null
  readonly url: string
  readonly key: string
  readonly adminToken: string
  readonly folder: string
  readonly server: Server
  send(path: string, options?: RequestOptions): Promise<Reply>
  /** POST with a JSON body and the first key. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  admin(method: string, path: string, body?: unknown): Promise<Reply>
  /** A key of the default account, or of the one named; by default with the highest rate limit. */
  newKey(order?: Record<string, unknown>, account?: string): Promise<{ id: string; key: string }>
  /** An account with so many credits and a key of its own. */
  newAccount(credits: number): Promise<{ id: string; key: string }>
  /** What the account of a key has, read from the ledger. */
  money(account?: string): Promise<{ balance: number; held: number; available: number }>
  close(): Promise<void>
}

export interface GatewayOptions {
  readonly script?: Script
  readonly env?: Record<string, string>
  readonly overrides?: Overrides
  /** A folder to start on again; it is then not deleted at the end. */
  readonly folder?: string
  /** The bundled plugins instead of a script. */
  readonly bundled?: true
  /** Text of a capstan.yml. */
  readonly file?: string
}

/** What the gateway takes the load of the machine for, so that tests do not depend on it. */
const CALM = { delayMs: 0, heapShare: 0, residentShare: 0 }

/** Starts a gateway; `close` ends it and deletes its folder. */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  if (options.folder !== undefined) return await startIn(options.folder, options, () => Promise.resolve())
  const folder = await mkdtemp(join(tmpdir(), 'capstan-test-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  return await startIn(folder, options, remove).catch(async (error: unknown) => {
    await remove()
    throw error
  })
}

async function startIn(folder: string, options: GatewayOptions, atEnd: () => Promise<void>): Promise<TestGateway> {
  const env = {
    CAPSTAN_DATA: folder,
    CAPSTAN_LOG_LEVEL: 'silent',
    CAPSTAN_PORT: '0',
    CAPSTAN_ADMIN_TOKEN: 'test-admin-token-of-some-length',
    ...options.env,
  }
  const file = options.file === undefined ? null : join(folder, 'capstan.yml')
  if (file !== null) await writeFile(file, options.file ?? '')
  const read = () => loadConfig({ file, env, root: packageRoot() })
  const config = read()
  const script = options.script ?? { 'test.echo': [{ vendor: 'one', run: (input) => Promise.resolve({ text: input.text }) }] }
  const app = await createApp(
    config,
    {
      audit: auditStore,
      mcp,
      log: () => undefined,
      measureLoad: () => CALM,
      ...(options.bundled === true ? {} : { load: () => Promise.resolve(scriptedRegistry(script)) }),
      ...options.overrides,
    },
    read,
  )
  const { limits } = config.settings
  const server = httpServer(
    app.listener,
    { publicUrl: () => app.services.publicUrl(), addressLimit: limits.address_per_minute },
    { idleMs: limits.idle * 1_000 },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app.setPublicUrl(url)
  const { firstRun, shown } = await app.firstStart()
  await shown()
  const key = firstRun?.key ?? ''
  const gateway: TestGateway = {
    app,
    firstRun,
    url,
    key,
    folder,
    server,
    adminToken: env.CAPSTAN_ADMIN_TOKEN,
    send: (path, request = {}) => send(url + path, { ...request, key: request.key === undefined ? key : request.key }),
    post: (path, body, headers = {}) => gateway.send(path, { method: 'POST', body, headers }),
    get: (path, headers = {}) => gateway.send(path, { headers }),
    admin: (method, path, body) => gateway.send(path, { method, key: env.CAPSTAN_ADMIN_TOKEN, ...(body === undefined ? {} : { body }) }),
    newKey: async (order = {}, account = 'default') => {
      const reply = await gateway.admin('POST', `/admin/v1/accounts/${account}/keys`, { rate_limit_per_minute: 100_000, ...order })
      if (reply.status !== 200) throw new Error(reply.text)
      return reply.json()
    },
    newAccount: async (credits) => {
      const { id } = (await gateway.admin('POST', '/admin/v1/accounts', { name: 'Ada Example', credits })).json<{ id: string }>()
      return { id, key: (await gateway.newKey({}, id)).key }
    },
    money: async (account = 'default') => {
      const { balance, held, available } = (await app.services.store.ledger.balance(account)) ?? { balance: NaN, held: NaN, available: NaN }
      return { balance: balance / 1000, held: held / 1000, available: available / 1000 }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await app.close()
      await atEnd()
    },
  }
  return gateway
}

/** One request over a connection of its own. */
export function send(url: string, { method, headers = {}, body, key }: RequestOptions = {}): Promise<Reply> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const sent: Record<string, string> = {
    ...(key === null || key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      { method: method ?? (text === undefined ? 'GET' : 'POST'), headers: sent, agent: false },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const reply = Buffer.concat(chunks).toString('utf8')
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: reply,
            trailers: incoming.trailers,
            json: <T>() => JSON.parse(reply) as T,
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

/** A server on loopback for a test; answers its address and how to close it. */
export async function listen(handler: Parameters<typeof createServer>[1]): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(handler ?? (() => undefined))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
