import { createHash } from 'node:crypto'
import type { WireRequest } from './s3-verifier.js'

/** An answer of an object store. */
export interface StoreReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** Stores objects; signatures are checked before. */
export type ObjectStore = (request: WireRequest) => Promise<StoreReply>

interface KeptObject {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

const KEPT_HEADERS = /^(?:content-(?:type|disposition|encoding|language)|cache-control|expires|x-amz-meta-.+)$/
const XML = { 'content-type': 'application/xml' }

/** Objects of one bucket in memory, by path: PUT, GET with a range, HEAD, DELETE and the list of version 1 and 2. */
export function memoryObjects(bucket: string): ObjectStore {
  const objects = new Map<string, KeptObject>()
  return ({ method, target, headers, body }) => {
    const url = new URL(target, 'http://store')
    const [, named, key] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? []
    if (named !== bucket) return Promise.resolve(refusal(404, 'NoSuchBucket'))
    if (key === undefined || key === '') return Promise.resolve(listed(objects, url.searchParams, bucket))
    if (method === 'PUT') {
      objects.set(key, { bytes: body, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name))) })
      return Promise.resolve({ status: 200, headers: { etag: etagOf(body) }, bytes: Buffer.alloc(0) })
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return Promise.resolve({ status: 204, headers: {}, bytes: Buffer.alloc(0) })
    }
    const object = objects.get(key)
    if (object === undefined) return Promise.resolve(refusal(404, 'NoSuchKey'))
    return Promise.resolve(served(object, { method, headers, query: url.searchParams }))
  }
}

function served(
  { bytes, headers }: KeptObject,
  request: { method: string; headers: Readonly<Record<string, string>>; query: URLSearchParams },
): StoreReply {
  // A presigned link may set headers of the answer.
  const wanted = [...request.query].flatMap(([name, value]) =>
    name.startsWith('response-') ? [[name.slice('response-'.length), value]] : [],
  )
  const about = { ...headers, ...(Object.fromEntries(wanted) as Record<string, string>), etag: etagOf(bytes), 'accept-ranges': 'bytes' }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  if (first === undefined) return answer(200, about, bytes, request.method)
  if (Number(first) >= bytes.length) return refusal(416, 'InvalidRange')
  const end = last === undefined || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1)
  const range = `bytes ${first}-${String(end)}/${String(bytes.length)}`
  return answer(206, { ...about, 'content-range': range }, bytes.subarray(Number(first), end + 1), request.method)
}

function answer(status: number, headers: Readonly<Record<string, string>>, bytes: Uint8Array, method: string): StoreReply {
  return { status, headers: { ...headers, 'content-length': String(bytes.length) }, bytes: method === 'HEAD' ? Buffer.alloc(0) : bytes }
}

function listed(objects: ReadonlyMap<string, KeptObject>, query: URLSearchParams, bucket: string): StoreReply {
  const prefix = query.get('prefix') ?? ''
  const most = Math.min(Number(query.get('max-keys') ?? 1000), 1000)
  const after = query.get('continuation-token') ?? query.get('start-after') ?? query.get('marker') ?? ''
  const all = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const keys = all.slice(0, most)
  const contents = keys.map(
    (key) => `<Contents><Key>${escaped(key)}</Key><Size>${String(objects.get(key)?.bytes.length ?? 0)}</Size></Contents>`,
  )
  const cut = all.length > keys.length
  const next = cut ? `<NextContinuationToken>${escaped(keys.at(-1) ?? '')}</NextContinuationToken>` : ''
  const text = `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><IsTruncated>${String(cut)}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  return { status: 200, headers: XML, bytes: Buffer.from(text) }
}

function refusal(status: number, code: string): StoreReply {
  return { status, headers: XML, bytes: Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`) }
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

function escaped(text: string): string {
  return text.replace(/[<>&]/g, (sign) => `&#${String(sign.charCodeAt(0))};`)
}
