import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import type { VendorAccess } from '../sdk/host.js'
import { type Call, Fault, type Signature } from '../sdk/index.js'
import { parseUrl } from '../sdk/url.js'
import { registeredDomain } from './name-queue.js'
import { Redactor } from './redact.js'

/**
 * A URL from a vendor's reply, if our credentials may be sent there: by https to a registered domain of the vendor's own addresses, or to
 * exactly the host that the operator set. Throws a `broken` Fault for any other.
 */
export function replyAddress(address: string, { vendor, baseUrl, operatorUrl }: VendorAccess): string {
  const url = parseUrl(address)
  const plain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  const own = operatorUrl
    ? plain && url.hostname === parseUrl(baseUrl)?.hostname && ['http:', 'https:'].includes(url.protocol)
    : plain && url.protocol === 'https:' && url.port === '' && domains(vendor).includes(domainOf(url.hostname))
  if (!own) throw new Fault('broken', 'The vendor named an address that is not its own.', { internal: `"${url?.hostname ?? ''}"` })
  return address
}

function domains({ baseUrl, hosts = {} }: VendorAccess['vendor']): string[] {
  return [baseUrl ?? '', ...Object.values(hosts)].flatMap((one) => {
    const url = parseUrl(one)
    return url === null ? [] : [domainOf(url.hostname)]
  })
}

/** The registered domain of a host; an IP address unchanged. */
function domainOf(name: string): string {
  return isIP(name.replace(/^\[|\]$/g, '')) === 0 ? registeredDomain(name) : name
}

/** Segments that name the version of an API. */
const VERSION = /^v?\d{1,2}(?:\.\d{1,2})?$/i
/** The name of a resource. */
const WORD = /^[a-z][a-z_]{0,39}$/i

/**
 * A path as it may be logged: versions and the first resource. What follows may be personal data, such as a name, and is omitted, as are
 * a first segment that is not a plain word, and the query.
 */
export function loggedPath(path: string): string {
  const [plain = ''] = path.split('?', 1)
  const segments = plain.replace(/^\//, '').split('/', 20)
  const first = segments.findIndex((segment) => !VERSION.test(segment))
  if (first < 0 || plain.length < 2) return plain
  const kept = segments.slice(0, WORD.test(segments[first] ?? '') ? first + 1 : first)
  return ['', ...kept, ...(kept.length < segments.length ? ['…'] : [])].join('/')
}

/** One base address of a vendor: the origin to connect to, and the path prefix of every call. */
export interface Destination {
  readonly origin: string
  readonly prefix: string
  /** The prefix as it may be logged. */
  readonly loggedPrefix: string
  readonly route: Pools
}

/** Connections to an origin: a pool of kept-alive ones, and `fresh` for requests that must not use an old one. */
export interface Pools {
  readonly pool: Dispatcher
  readonly fresh: () => Dispatcher
}

const ACCEPT = { json: 'application/json', ndjson: 'application/x-ndjson, application/json;q=0.9', text: '*/*', bytes: '*/*' } as const

/** All parts of a vendor's requests that do not depend on the call, prepared once. */
export class VendorPlan {
  readonly #access: VendorAccess
  readonly #route: (origin: string, from: 'settings' | 'reply') => Pools
  readonly #destinations = new Map<string, Destination>()
  readonly #headers = new Map<string, string[]>()
  readonly #common: Readonly<Record<string, string>>
  readonly signature: Signature
  /** The signature's query fields, encoded; empty when there are none. */
  readonly query: string
  #redactor: Redactor | null = null

  /** Throws a `credentials` Fault when a secret for signing is missing. */
  constructor(access: VendorAccess, userAgent: string, route: (origin: string, from: 'settings' | 'reply') => Pools) {
    this.#access = access
    this.#route = route
    this.signature = sign(access)
    this.query = queryString(this.signature.query ?? {})
    this.#common = { 'user-agent': userAgent, 'accept-encoding': 'gzip, deflate, br', ...lower(access.vendor.headers) }
  }

  /** The vendor's base address, or one of its further hosts; an operator's address replaces them all and keeps the host's path. */
  destination(host: string | undefined): Destination {
    const known = this.#destinations.get(host ?? '')
    if (known !== undefined) return known
    const { vendor, baseUrl, operatorUrl } = this.#access
    const named = host === undefined ? '' : vendor.hosts?.[host]
    if (named === undefined)
      throw new Fault('broken', 'the adapter built an invalid request', { internal: `the vendor declares no host "${host}"` })
    const made = operatorUrl || named === '' ? place(baseUrl, named === '' ? '' : pathOf(named)) : place(named, '')
    const destination = { ...made, loggedPrefix: made.prefix, route: this.#route(made.origin, 'settings') }
    this.#destinations.set(host ?? '', destination)
    return destination
  }

  /** An address from a vendor's reply. Throws a `broken` Fault for one that must not receive our credentials. */
  named(address: string): Destination {
    const made = place(replyAddress(address, this.#access), '')
    return { ...made, loggedPrefix: loggedPath(made.prefix), route: this.#route(made.origin, 'reply') }
  }

  /** Headers in the flat form of the HTTP client; shared between calls, so never modify them. Signing overrides the call's own headers, which override the vendor's. */
  headers(call: Call, contentType: string, { identity = false } = {}): string[] {
    const reads = call.reads ?? 'json'
    // Files are already compressed, and their length is needed.
    if (identity) return flat(this.#build(reads, contentType, { 'accept-encoding': 'identity', ...lower(call.headers) }))
    if (call.headers !== undefined) return flat(this.#build(reads, contentType, lower(call.headers)))
    if (contentType.startsWith('multipart/')) return flat(this.#build(reads, contentType, {}))
    const key = `${reads} ${contentType}`
    const known = this.#headers.get(key)
    if (known !== undefined) return known
    const made = flat(this.#build(reads, contentType, {}))
    if (this.#headers.size < 64) this.#headers.set(key, made)
    return made
  }

  /** Redacts every secret of the vendor, as declared and as sent. */
  get redactor(): Redactor {
    this.#redactor ??= new Redactor(secretsOf(this.#access, this.signature))
    return this.#redactor
  }

  #build(reads: keyof typeof ACCEPT, contentType: string, own: Readonly<Record<string, string>>): Record<string, string> {
    return {
      accept: ACCEPT[reads],
      ...this.#common,
      ...(contentType === '' ? {} : { 'content-type': contentType }),
      ...own,
      ...lower(this.signature.headers),
    }
  }
}

function sign({ vendor, operatorUrl, secret }: VendorAccess): Signature {
  if (vendor.auth === undefined) return {}
  let absent = false
  const read = (name: string): string => {
    const value = secret(name)
    absent ||= value === ''
    return value
  }
  let signature: Signature
  try {
    signature = vendor.auth(read)
  } catch {
    throw new Fault('credentials', 'a secret of the vendor is not set', { internal: `signing for "${vendor.id}" failed` })
  }
  return absent && operatorUrl && vendor.keylessWithUrl === true ? {} : signature
}

function secretsOf({ vendor, secret }: VendorAccess, signature: Signature): string[] {
  const names = [...Object.keys(vendor.secrets ?? {}), ...Object.keys(vendor.optionalSecrets ?? {})]
  const sent = [...Object.values(signature.headers ?? {}), ...Object.values(signature.query ?? {}), ...Object.values(signature.json ?? {})]
  return [...names.map((name) => readable(secret, name)), ...sent.filter((value) => typeof value === 'string')]
}

/** A secret for redaction; empty when it is not set. */
function readable(secret: (name: string) => string, name: string): string {
  try {
    return secret(name)
  } catch {
    return ''
  }
}

function place(address: string, path: string): { origin: string; prefix: string } {
  if (parseUrl(address) === null)
    throw new Fault('broken', 'the vendor has no valid address', { internal: 'the base address of the vendor is not a URL' })
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Fault('broken', 'the vendor has no valid address', { internal: 'the base address is neither http nor https' })
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') + path.replace(/(?<!\/)\/+$/, '') }
}

function pathOf(address: string): string {
  return parseUrl(address)?.pathname ?? ''
}

function lower(headers: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return headers === undefined ? {} : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function flat(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat()
}

const SAFE = /^\/(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i
const CLIMBS = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:$|[/\\]|%2f|%5c)/i

/**
 * The target of a call below a prefix: encoded segments are kept, everything unsafe is percent-encoded. A path with `..`, without a
 * leading slash, with a fragment, or an absolute URL is a `broken` Fault.
 */
export function requestPath(prefix: string, call: Call): string {
  const { path, query } = call
  const [plain = ''] = path.split('?', 1)
  if (!path.startsWith('/') || path.includes('#') || path.includes('\\') || CLIMBS.test(plain)) {
    throw new Fault('broken', 'the adapter built an invalid request', {
      internal: 'Call.path must begin with "/" and hold no "..", "\\" or "#"',
    })
  }
  const target = prefix + (SAFE.test(path) ? path : encode(path))
  const fields = query === undefined ? '' : queryString(query)
  return withQuery(target, fields)
}

/** A query in form encoding with `%20` for spaces; undefined fields are omitted, lists are repeated. */
function queryString(query: NonNullable<Call['query']>): string {
  let text = ''
  for (const name in query) {
    const value = query[name]
    if (value === undefined) continue
    for (const one of typeof value === 'object' ? value : [value]) {
      text += `${text === '' ? '' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(String(one)))}`
    }
  }
  return text
}

/** Appends query fields to a target that may already have some. */
export function withQuery(target: string, fields: string): string {
  if (fields === '') return target
  return `${target}${target.includes('?') ? '&' : '?'}${fields}`
}

function encode(path: string): string {
  return wellFormed(path)
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent)
}

/** Lone surrogates cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
