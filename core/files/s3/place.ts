import { parseUrl } from '../../sdk/url.js'

/** The location of artifacts in an object store, from the setting. */
export interface S3Place {
  readonly bucket: string
  readonly region: string
  /** Address to which the id of an artifact is appended. */
  readonly base: string
  /** The same for links that callers follow; null when the gateway serves the bytes. */
  readonly linkBase: string | null
}

const FORM = 's3://bucket/prefix?region=…&endpoint=…'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/|$))*$/
const REGION = /^[a-z0-9][a-z0-9-]{0,40}$/
const OPTIONS = ['region', 'endpoint', 'style', 'links', 'public_endpoint']

/**
 * Reads `s3://bucket[/prefix][?region=…&endpoint=…&style=path|host&links=direct&public_endpoint=…]`. Without an endpoint it is
 * Amazon's for the region (us-east-1 when none is named). Throws a RangeError naming the setting and the part, never its value.
 */
export function readPlace(setting: string): S3Place {
  const url = parseUrl(setting)
  if (url?.protocol !== 's3:') throw wrong(`is not of the form ${FORM}`)
  if (url.username !== '' || url.password !== '')
    throw wrong('holds credentials: set CAPSTAN_S3_ACCESS_KEY_ID and CAPSTAN_S3_SECRET_ACCESS_KEY instead')
  const bucket = url.host
  if (!BUCKET.test(bucket) || bucket.includes('..')) throw wrong('names no valid bucket: 3 to 63 of a-z, 0-9, dot and hyphen')
  const prefix = decodeURI(url.pathname).replace(/^\/|\/$/g, '')
  if (!PREFIX.test(prefix)) throw wrong('has a prefix with characters other than letters, digits, dot, hyphen, underscore and slash')
  const options = url.searchParams
  for (const name of options.keys())
    if (!OPTIONS.includes(name) || options.getAll(name).length > 1)
      throw wrong(`has an option that is unknown or given twice; there are ${OPTIONS.join(', ')}`)
  const region = options.get('region') ?? 'us-east-1'
  if (!REGION.test(region)) throw wrong('has a region that is not like us-east-1 or auto')
  const style = choice(options, 'style', ['path', 'host'])
  const direct = choice(options, 'links', ['direct', 'gateway']) === 'direct'
  const endpoint = origin(options.get('endpoint'), 'endpoint')
  const outside = origin(options.get('public_endpoint'), 'public_endpoint')
  if (outside !== null && !direct) throw wrong('has a public_endpoint, which is only used with links=direct')
  // A wildcard certificate does not cover a bucket with dots.
  const pathStyle = style === null ? endpoint !== null || bucket.includes('.') : style === 'path'
  const at = (address: URL): string => baseAt(address, bucket, { pathStyle, prefix })
  const inside = endpoint ?? amazon(region)
  return { bucket, region, base: at(inside), linkBase: direct ? at(outside ?? inside) : null }
}

function baseAt(address: URL, bucket: string, { pathStyle, prefix }: { pathStyle: boolean; prefix: string }): string {
  const host = pathStyle ? address.host : `${bucket}.${address.host}`
  const path = [address.pathname.replace(/^\/|\/$/g, ''), pathStyle ? bucket : '', prefix].filter((part) => part !== '')
  return `${address.protocol}//${[host, ...path].join('/')}/`
}

function amazon(region: string): URL {
  return new URL(`https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`)
}

function origin(text: string | null, name: string): URL | null {
  if (text === null) return null
  const url = parseUrl(text)
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && url.username === '' && url.password === ''
  if (!plain || url.search !== '' || url.hash !== '' || !/^[\w./-]*$/.test(url.pathname))
    throw wrong(`has an ${name} that is not an address such as https://storage.example.com:9000`)
  return url
}

function choice(options: URLSearchParams, name: string, values: readonly string[]): string | null {
  const value = options.get(name)
  if (value !== null && !values.includes(value)) throw wrong(`has a ${name} other than ${values.join(' or ')}`)
  return value
}

function wrong(what: string): RangeError {
  return new RangeError(`the artifacts setting (CAPSTAN_ARTIFACTS) ${what}`)
}
