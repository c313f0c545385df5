import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { IDLE_MS } from '../outbound/api.js'
import { type BodyFiles, requestBody } from '../outbound/request-body.js'
import { closeable } from '../outbound/streamed-reply.js'
import { OWN_HEADERS } from '../outbound/web.js'
import type { Api, Web } from '../outbound/types.js'
import type { VendorAccess } from '../sdk/host.js'
import { namedAddressFault, statusFault } from '../outbound/vendor-fault.js'
import { Fault, type Upload, type Uploaded } from '../sdk/index.js'
import { parseUrl } from '../sdk/url.js'

/** Most bytes of the reply to an upload. */
const REPLY_BYTES = 1 << 20

/** A file that is being received. */
interface Fetched {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Must be read to the end or left. Its failures are Faults. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Access to addresses from a vendor's replies, without credentials. Failures are `broken`, `busy` or `invalid`. */
export interface NamedAddresses {
  get(url: string, maxBytes: number): Promise<Fetched>
  send(url: string, request: Upload): Promise<Uploaded>
}

interface NamedAddressRoutes {
  readonly access: VendorAccess
  readonly api: Api
  readonly web: Pick<Web, 'stream'>
  readonly cancel: Cancel
  readonly clock: Pick<Clock, 'now'>
  readonly files: () => BodyFiles
  readonly once: boolean
}

/** Without a method it is a fetch. */
type Request = Upload & { readonly maxBytes: number }

/** Through the guard; or, unsigned, to the host that the operator set for the vendor, which the guard may block. */
export function namedAddresses(routes: NamedAddressRoutes): NamedAddresses {
  const { once } = routes
  const fetchFile = async (url: string, request: Request): Promise<Fetched> => {
    const about = { once, sent: request.method !== undefined }
    try {
      const reply = isOperatorHost(url, routes.access) ? await fromOperator(routes, url, request) : await fromWeb(routes, url, request)
      return { ...reply, body: attributed(reply.body, about) }
    } catch (error) {
      throw Fault.is(error) ? namedAddressFault(error, about) : error
    }
  }
  return {
    get: async (url, maxBytes) => await fetchFile(url, { maxBytes }),
    send: async (url, request) => {
      const { status, headers, body } = await fetchFile(url, { ...request, method: methodOf(request), maxBytes: REPLY_BYTES })
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      return { status, headers, text: Buffer.concat(chunks).toString() }
    },
  }
}

function methodOf({ method, multipart }: Upload): 'PUT' | 'POST' {
  return method ?? (multipart === undefined ? 'PUT' : 'POST')
}

async function fromWeb({ web, cancel, clock, files, once }: NamedAddressRoutes, url: string, request: Request): Promise<Fetched> {
  const { method, headers = {}, maxBytes } = request
  const body = requestBody(request, undefined, files())
  const options = { maxBytes, headers, timeoutMs: cancel.timeLeft(), idleMs: IDLE_MS }
  const reply = await web.stream(url, method === undefined ? options : { ...options, method, body, maxRedirects: 0 }, cancel)
  if (reply.status >= 200 && reply.status < 300) return reply
  await reply.body[Symbol.asyncIterator]().return?.()
  const internal = `${method ?? 'GET'} ${parseUrl(url)?.hostname ?? ''} -> ${String(reply.status)}`
  throw statusFault(reply.status, reply.headers['retry-after'], clock.now(), { once, internal })
}

async function fromOperator(routes: NamedAddressRoutes, url: string, request: Request): Promise<Fetched> {
  const { access, api, cancel, once, files } = routes
  const { origin, pathname, search } = new URL(url)
  const headers = Object.fromEntries(Object.entries(request.headers ?? {}).filter(([name]) => !OWN_HEADERS.test(name)))
  const call = { method: 'GET' as const, ...request, headers, address: origin, path: pathname + search }
  const reply = await api.stream(unsigned(access), call, cancel, { once, files: files() })
  return 'elsewhere' in reply
    ? await fromWeb(routes, reply.elsewhere, { maxBytes: request.maxBytes })
    : { ...reply, body: closeable(reply.body) }
}

/** Whether the address is on the operator's own instance, whose host may be private. */
function isOperatorHost(text: string, { operatorUrl, baseUrl }: VendorAccess): boolean {
  const url = parseUrl(text)
  return operatorUrl && url !== null && /^https?:$/.test(url.protocol) && url.hostname === parseUrl(baseUrl)?.hostname
}

/** The vendor's access without credentials and settings. */
function unsigned({ vendor: { id, title }, baseUrl, operatorUrl }: VendorAccess): VendorAccess {
  return { vendor: { id, title }, baseUrl, operatorUrl, secret: () => '', settings: {} }
}

/** The chunks of a body, with failures attributed to the vendor. `return` closes it, even before the first chunk. */
function attributed(body: AsyncIterable<Uint8Array>, about: Parameters<typeof namedAddressFault>[1]): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]()
      return {
        next: async () => {
          try {
            return await chunks.next()
          } catch (error) {
            throw Fault.is(error) ? namedAddressFault(error, about) : error
          }
        },
        return: async () => {
          await chunks.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
