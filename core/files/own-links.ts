import { createHmac, timingSafeEqual } from 'node:crypto'
import { RequestStopped } from '../outbound/exchange.js'
import { JoinedBody } from '../outbound/reply-body.js'
import { targetFault } from '../outbound/target-fault.js'
import type { Web, WebRequest } from '../outbound/types.js'
import { MAX_BYTES } from '../outbound/web.js'
import type { Cancel } from '../runtime/cancel.js'
import { Fault, type Page, type WebOptions } from '../sdk/index.js'
import { parseUrl } from '../sdk/url.js'
import type { ArtifactRecord } from '../store/types.js'
import { readFailure, type BlobStream } from './blobs.js'

export interface OpenedLink extends BlobStream {
  readonly record: ArtifactRecord
}

/** The values in the path and query of a link. */
interface LinkParts {
  readonly id: string
  readonly expires: string
  readonly signature: string
}

/** The parts of an address with the form of our links, at any host: its signature decides whether it is ours. */
export function anyLink(address: string): LinkParts | null {
  const url = parseUrl(address)
  const [, id, name] = /\/files\/([^/]+)\/([^/]+)$/.exec(url?.pathname ?? '') ?? []
  return url === null || id === undefined || name === undefined ? null : partsOf(url, id)
}

function partsOf({ searchParams }: URL, id: string): LinkParts {
  return { id, expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' }
}

/** The parts of an address below this gateway's files; null for any other. The signature is not checked. */
export function ownLink(address: string, publicUrl: string): LinkParts | null {
  const [url, own] = [parseUrl(address), parseUrl(publicUrl)]
  if (url === null || own === null || url.origin !== own.origin) return null
  const prefix = `${own.pathname.replace(/\/$/, '')}/files/`
  const [id = '', name, ...more] = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length).split('/') : []
  if (name === undefined || more.length > 0) return null
  return partsOf(url, id)
}

/** Fetches addresses, but reads links of this gateway from the store: without network and without the guard. */
export class WebWithOwnLinks implements Web {
  readonly #web: Web
  readonly #open: (address: string, cancel: Cancel) => Promise<OpenedLink | null>

  /** `open` returns null for addresses that are not links of this gateway; its Faults become those of the fetch. */
  constructor(web: Web, open: (address: string, cancel: Cancel) => Promise<OpenedLink | null>) {
    this.#web = web
    this.#open = open
  }

  async get(url: string, options: WebOptions, cancel: Cancel): Promise<Page> {
    const file = await this.#open(url, cancel)
    if (file === null) return await this.#web.get(url, options, cancel)
    const joined = new JoinedBody(file.size)
    for await (const chunk of bounded(file, options, cancel)) joined.add(chunk)
    return { ...pageOf(url, file), bytes: joined.bytes() }
  }

  async stream(url: string, options: WebRequest, cancel: Cancel): ReturnType<Web['stream']> {
    // Links are only for reading: requests with a body are sent as to any address.
    const file = options.body === undefined ? await this.#open(url, cancel) : null
    if (file === null) return await this.#web.stream(url, options, cancel)
    return { ...pageOf(url, file), body: bounded(file, options, cancel) }
  }

  async close(): Promise<void> {
    await this.#web.close()
  }
}

/** The content of the file behind a link of this gateway, with its size; null for any other address. `open` as for WebWithOwnLinks. */
export async function storedAt(url: string, open: (address: string, cancel: Cancel) => Promise<OpenedLink | null>, cancel: Cancel) {
  const link = await open(url, cancel)
  if (link === null) return null
  const body = bounded(link, { maxBytes: Number.MAX_SAFE_INTEGER }, cancel)
  return { body, named: link.size, contentType: link.record.content_type }
}

function pageOf(url: string, { record, size }: OpenedLink): Omit<Page, 'bytes'> {
  const { content_type: contentType } = record
  const headers = { 'content-type': contentType, 'content-length': String(size) }
  return { url, status: 200, headers, contentType, charset: '' }
}

/** The bytes of a file within the limits of a fetch; the store's file is closed when the iteration ends. */
function bounded(file: OpenedLink, { maxBytes = MAX_BYTES }: WebRequest, cancel: Cancel): AsyncIterable<Uint8Array> {
  const chunks = withinLimits(file, maxBytes, cancel)
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => chunks.next(),
      return: async () => {
        // A body that was never read would stay open.
        await left(file.body)
        return await chunks.return(undefined)
      },
    }),
  }
}

async function* withinLimits({ size, body }: OpenedLink, maxBytes: number, cancel: Cancel): AsyncGenerator<Uint8Array> {
  if (size > maxBytes) {
    await left(body)
    throw new Fault('blocked', `the address answered with more than ${maxBytes} bytes, which is the limit`)
  }
  try {
    for await (const chunk of body) {
      if (cancel.reason !== null) break
      yield chunk
    }
  } catch (error) {
    if (cancel.reason === null) throw readFailure(error)
  }
  if (cancel.reason !== null) throw targetFault(new RequestStopped(cancel.reason), maxBytes)
}

async function left(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body) return
}

/** Signs and verifies links that need no key: HMAC-SHA256 over method, id and expiry. */
export class LinkSigner {
  readonly #secret: Buffer

  constructor(secretHex: string) {
    this.#secret = Buffer.from(secretHex, 'hex')
  }

  /** Path and query of a link; `expires` in Unix seconds. */
  sign(id: string, name: string, expires: number): string {
    return `/files/${id}/${encodeURIComponent(name)}?expires=${expires}&signature=${this.#mac(id, expires).toString('base64url')}`
  }

  /** True when the signature is ours and the link has not expired. */
  valid(id: string, expires: string, signature: string, now: number): boolean {
    return this.signed(id, expires, signature) && Number(expires) * 1000 > now
  }

  /** True when the signature is ours and the link has expired. */
  expired(id: string, expires: string, signature: string, now: number): boolean {
    return this.signed(id, expires, signature) && Number(expires) * 1000 <= now
  }

  /** True when the signature is ours, expired or not. */
  signed(id: string, expires: string, signature: string): boolean {
    if (!/^[1-9]\d{0,11}$/.test(expires)) return false
    // Compared as text: base64url has several spellings of the same bytes, and only ours is a link.
    const given = Buffer.from(signature)
    const wanted = Buffer.from(this.#mac(id, Number(expires)).toString('base64url'))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  #mac(id: string, expires: number): Buffer {
    return createHmac('sha256', this.#secret).update(`GET\n${id}\n${expires}`).digest()
  }
}
