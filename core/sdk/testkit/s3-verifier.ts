import { createHash, createHmac } from 'node:crypto'

/** A request as received. */
export interface WireRequest {
  readonly method: string
  /** Path and query, undecoded. */
  readonly target: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface S3Account {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | null
  readonly region: string
}

/** Why a request is refused, in the format of S3. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly region?: string
}

const SKEW_MS = 900_000

/**
 * Why a request is not signed by the account; null when it is (AWS Signature Version 4, header or query form, written
 * from Amazon's description of the algorithm and independent of the code under test). `now` is the store's clock in
 * Unix milliseconds.
 */
export function refusalOf(request: WireRequest, account: S3Account, now: number): Refusal | null {
  const [path = '', query = ''] = split(request.target)
  const fields = query === '' ? [] : query.split('&').map((field) => pair(field))
  const inQuery = fields.some(([name]) => name === 'X-Amz-Algorithm')
  const claim = inQuery ? fromQuery(fields) : fromHeader(request.headers)
  if (claim === null) return { status: 403, code: 'AccessDenied' }
  const [keyId, day, region, service, end] = claim.credential.split('/')
  if (keyId !== account.accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' }
  if (region !== account.region) return { status: 400, code: 'AuthorizationHeaderMalformed', region: account.region }
  if (service !== 's3' || end !== 'aws4_request' || !claim.date.startsWith(day ?? '-'))
    return { status: 400, code: 'AuthorizationHeaderMalformed' }
  if ((claim.token ?? null) !== account.sessionToken) return { status: 400, code: 'InvalidToken' }
  const at = momentOf(claim.date)
  if (inQuery && !(claim.seconds >= 1 && claim.seconds <= 604_800)) return { status: 400, code: 'AuthorizationQueryParametersError' }
  if (inQuery && now >= at + claim.seconds * 1000) return { status: 403, code: 'AccessDenied' }
  if (Math.abs(now - at) > SKEW_MS && !(inQuery && now > at)) return { status: 403, code: 'RequestTimeTooSkewed' }
  const mustSign = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))]
  if (mustSign.some((name) => !claim.signed.includes(name))) return { status: 403, code: 'AccessDenied' }
  const payload = inQuery ? 'UNSIGNED-PAYLOAD' : (request.headers['x-amz-content-sha256'] ?? '')
  const canonical = [
    request.method,
    path
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/'),
    fields
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...claim.signed.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    claim.signed.join(';'),
    payload,
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', claim.date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (before, text) => hmac(before, text ?? ''),
    `AWS4${account.secretAccessKey}`,
  )
  if (hmac(key, toSign).toString('hex') !== claim.signature) return { status: 403, code: 'SignatureDoesNotMatch' }
  if (!inQuery && payload !== sha256(request.body)) return { status: 400, code: 'XAmzContentSHA256Mismatch' }
  return null
}

interface SignatureClaim {
  readonly credential: string
  readonly signed: readonly string[]
  readonly signature: string
  readonly date: string
  readonly token: string | undefined
  readonly seconds: number
}

function fromHeader(headers: Readonly<Record<string, string>>): SignatureClaim | null {
  const form = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, credential, signed, signature] = form.exec(headers['authorization'] ?? '') ?? []
  const date = headers['x-amz-date']
  if (credential === undefined || signed === undefined || signature === undefined || date === undefined) return null
  return { credential, signed: signed.split(';'), signature, date, token: headers['x-amz-security-token'], seconds: 0 }
}

function fromQuery(fields: readonly (readonly [string, string])[]): SignatureClaim | null {
  const value = (name: string): string | undefined => fields.find(([each]) => each === name)?.[1]
  const [credential, signed, signature, date] = ['Credential', 'SignedHeaders', 'Signature', 'Date'].map((name) => value(`X-Amz-${name}`))
  if (credential === undefined || signed === undefined || signature === undefined || date === undefined) return null
  return {
    credential,
    signed: signed.split(';'),
    signature,
    date,
    token: value('X-Amz-Security-Token'),
    seconds: Number(value('X-Amz-Expires')),
  }
}

function split(target: string): [string, string] {
  const at = target.indexOf('?')
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
}

/** A plus sign is literal: in Amazon's description a space is always %20. */
function pair(field: string): [string, string] {
  const at = field.indexOf('=')
  const [name, value] = at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)]
  return [decodeURIComponent(name), decodeURIComponent(value)]
}

function encode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => (/[A-Za-z0-9._~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : percent(byte)))
    .join('')
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

function momentOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
