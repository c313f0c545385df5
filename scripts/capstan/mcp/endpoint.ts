import type { McpHttpHandler } from '@modelcontextprotocol/server'
import ipaddr from 'ipaddr.js'
import type { Server } from 'node:http'
import { Readable } from 'node:stream'
import { allows, type Caller } from '../../../core/accounts/caller.js'
import { packageVersion } from '../../../core/runtime/root.js'
import { isRecord } from '../../../core/sdk/json.js'
import { parseUrl } from '../../../core/sdk/url.js'
import { Problem } from '../../../core/problems/problem.js'
import { authenticate, authenticateKey } from '../../../core/http/authenticate.js'
import { readJson } from '../../../core/http/body.js'
import { describe, type Described } from '../../../core/http/discovery/described.js'
import type { HttpContext, HttpMiddleware } from '../../../core/http/exchange.js'
import { httpServer } from '../../../core/http/server.js'
import type { HttpServices } from '../../../core/http/services.js'
import { Finder } from './find.js'
import { innerCall } from './inner-call.js'
import type { McpServerOptions } from './server.js'

export const MCP_PATH = '/mcp'
/** Files are uploaded or named by their address. */
const BODY = { limit: 1024 * 1024, mostValues: 50_000 }
/** Headers of the client that the call carries. */
const PASSED = ['authorization', 'traceparent', 'user-agent'] as const

/** MCP over streamable HTTP, without sessions: tools of the capabilities that the key may call. Calls are those of `paidCall`. */
export function mcp(services: HttpServices): HttpMiddleware {
  const endpoint = new McpEndpoint(services)
  return async (ctx, next) => {
    if (ctx.path !== MCP_PATH) return void (await next())
    ctx.state.exchange.route = MCP_PATH
    await endpoint.answer(ctx)
  }
}

/** The capabilities of one state of the registry. */
interface Known {
  readonly version: string
  readonly capabilities: readonly Described[]
  readonly finder: Finder
}

class McpEndpoint {
  readonly #services: HttpServices
  readonly #version = packageVersion()
  /** What the server of each request is made of. */
  readonly #options = new WeakMap<Request, McpServerOptions>()
  readonly #running = new Map<string, Set<AbortController>>()
  #handler: Promise<McpHttpHandler> | null = null
  #inner: Server | null = null
  #described: Known = { version: '', capabilities: [], finder: new Finder([]) }

  constructor(services: HttpServices) {
    this.#services = services
  }

  async answer(ctx: HttpContext): Promise<void> {
    // A client that still sends a refused body would otherwise lose the answer with its connection.
    ctx.state.exchange.lingers = true
    assertOwnHost(this.#services, ctx)
    const gone = new AbortController()
    let forget = (): void => undefined
    ctx.res.once('close', () => {
      forget()
      if (!ctx.res.writableFinished) gone.abort()
    })
    const caller = ctx.method === 'POST' ? await authenticate(this.#services, ctx, 'read') : null
    const options = caller === null ? null : this.#optionsOf(ctx, caller)
    const body = options === null ? null : await this.#body(ctx, options)
    if (caller !== null && body !== null) forget = this.#cancelOrNote(ctx, caller, body, gone)
    const headers = new Headers()
    for (const [name, value] of Object.entries(ctx.req.headers)) if (typeof value === 'string') headers.set(name, value)
    const request = new Request(`http://localhost${MCP_PATH}`, { method: ctx.method, headers, signal: gone.signal })
    if (options !== null) this.#options.set(request, options)
    const response = await (await this.#fetcher()).fetch(request, body === null ? {} : { parsedBody: body })
    ctx.status = response.status
    // Whether the connection is kept is for the server and its client.
    response.headers.delete('connection')
    response.headers.forEach((value, name) => ctx.set(name, value))
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    ctx.body = isStream && response.body !== null ? Readable.from(response.body) : await response.text()
  }

  #optionsOf(ctx: HttpContext, { key, account }: Caller): McpServerOptions {
    const { capabilities, finder } = this.#known()
    return {
      version: this.#version,
      search: ctx.query['mode'] === 'search',
      ...{ capabilities, finder, offered: capabilities.filter(({ id, live }) => live && allows(key.scopes, id)) },
      account: account.id,
      artifacts: this.#services.artifacts,
      call: ({ path, input, idempotencyKey, signal, onProgress }) => {
        const once = idempotencyKey ?? ctx.get('idempotency-key')
        const passed = Object.fromEntries(PASSED.flatMap((name) => (ctx.get(name) === '' ? [] : [[name, ctx.get(name)]])))
        return innerCall(this.#server(ctx), {
          ...{ path, input, signal, onProgress, address: ctx.state.exchange.address },
          headers: { ...passed, ...(once === '' ? {} : { 'idempotency-key': once }) },
        })
      },
    }
  }

  /** A call of a capability counts in the rate limit when it comes in again; everything else counts here. */
  async #body(ctx: HttpContext, { capabilities, search }: McpServerOptions): Promise<Record<string, unknown>> {
    const body = await readJson(ctx, BODY)
    const { callsCapability } = await import('./server.js')
    if (!callsCapability(body, capabilities, search)) await authenticateKey(this.#services, ctx)
    return body
  }

  /**
   * A client of 2025-11-25 cancels a call by a message of its own. Without sessions the call is known by the key, the client and the id of the request;
   * where several are running that fit, none is cancelled. Returns what to do when the call has ended.
   */
  #cancelOrNote(
    ctx: HttpContext,
    { key }: Caller,
    { method, id, params }: Readonly<Record<string, unknown>>,
    gone: AbortController,
  ): () => void {
    const cancels = method === 'notifications/cancelled'
    const named = cancels ? (isRecord(params) ? params['requestId'] : undefined) : method === 'tools/call' ? id : undefined
    if (typeof named !== 'string' && typeof named !== 'number') return () => undefined
    const name = JSON.stringify([key.id, ctx.state.exchange.address, ctx.get('user-agent'), named])
    const running = this.#running.get(name) ?? new Set()
    if (cancels && running.size === 1) for (const call of running) call.abort()
    if (cancels) return () => undefined
    this.#running.set(name, running.add(gone))
    return () => {
      running.delete(gone)
      if (running.size === 0 && this.#running.get(name) === running) this.#running.delete(name)
    }
  }

  #known(): Known {
    const registry = this.#services.registry()
    if (this.#described.version === registry.version) return this.#described
    const capabilities = describe(registry)
    this.#described = { version: registry.version, capabilities, finder: new Finder(capabilities) }
    return this.#described
  }

  /** The gateway's own HTTP handling, for connections within the process. */
  #server(ctx: HttpContext): Server {
    if (this.#inner !== null) return this.#inner
    const { publicUrl, settings } = this.#services
    const handle = ctx.app.callback()
    this.#inner = httpServer((request, response) => void handle(request, response), {
      publicUrl,
      addressLimit: settings.limits.address_per_minute,
    })
    return this.#inner
  }

  #fetcher(): Promise<McpHttpHandler> {
    this.#handler ??= this.#load()
    return this.#handler
  }

  /** The protocol's package is loaded at the first request. */
  async #load(): Promise<McpHttpHandler> {
    const { createMcpHandler } = await import('@modelcontextprotocol/server')
    const { mcpServer } = await import('./server.js')
    return createMcpHandler(({ requestInfo }) => {
      const options = requestInfo === undefined ? undefined : this.#options.get(requestInfo)
      if (options === undefined) throw new TypeError('a request without its options')
      return mcpServer(options)
    })
  }
}

/**
 * Refuses requests that a web page was made to send (DNS rebinding): the Host must be an address, local, or that of `server.public_url`, an
 * Origin one of `server.cors_origins`, local, or the same. Throws `key-not-allowed`.
 */
function assertOwnHost({ publicUrl, settings }: HttpServices, ctx: HttpContext): void {
  const own = new Set(['localhost', parseUrl(publicUrl())?.hostname])
  const isOwn = (address: string): boolean => {
    const host = parseUrl(address)?.hostname ?? ''
    return own.has(host) || ipaddr.isValid(host.replace(/^\[|\]$/g, ''))
  }
  const origin = ctx.get('origin')
  const origins = settings.server.cors_origins
  const refused = !isOwn(`http://${ctx.get('host')}`)
    ? 'Host'
    : origin !== '' && !origins.includes(origin) && !isOwn(origin)
      ? 'Origin'
      : null
  if (refused === null) return
  const setting = refused === 'Host' ? 'server.public_url' : 'server.cors_origins'
  throw new Problem('key-not-allowed', `The ${refused} header names another site, so that /mcp does not answer.`, {
    action: `The operator names the address of this gateway in ${setting}.`,
  })
}
