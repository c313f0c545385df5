import type { Metadata } from './generated.js'

/** A fault of a request; `loc` begins with body, query, path or header. */
export interface ValidationItem {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

/** What a server answered. @internal */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body; undefined when it is no JSON. */
  readonly body: unknown
  readonly text: string
}

/** Base class of every error of this library. */
export class CapstanError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
  }
}

/** No answer came: the gateway cannot be reached, or the connection broke. */
export class APIConnectionError extends CapstanError {}

/** No answer came within the time limit of this library. */
export class APITimeoutError extends APIConnectionError {}

/** The gateway answered that the request failed. Nothing was charged. */
export class APIStatusError extends CapstanError {
  /** HTTP status. */
  readonly status: number
  /** Address of the error's page; null when the answer is not one of a gateway. */
  readonly type: string | null
  /** Last part of `type`, such as `rate-limited`. */
  readonly slug: string | null
  readonly title: string
  readonly detail: string
  readonly error_category: string | null
  /** The same request may succeed later. */
  readonly is_retriable: boolean
  readonly retry_after_seconds: number | null
  readonly alternative_action: string | null
  readonly request_id: string | null
  /** Every try of a provider. */
  readonly attempts: Metadata['attempts']
  /** Every fault of the request. */
  readonly validation: readonly ValidationItem[]
  readonly headers: Headers
  /** The body as it came: JSON, or text. */
  readonly raw: unknown

  /** @internal */
  constructor({ status, headers, body, text }: Answer) {
    const { error, metadata, detail } = fieldsOf(body)
    const problem = fieldsOf(error)
    const type = textOf(problem['type'])
    const known = type !== null
    const title = textOf(problem['title']) ?? `HTTP ${status}`
    const says = textOf(problem['detail']) ?? (known ? title : `This is not the answer of a gateway: ${firstWords(text)}.`)
    const remedy = known ? textOf(problem['alternative_action']) : 'Check baseUrl (CAPSTAN_URL) and the proxies before it.'
    const requestId = textOf(fieldsOf(metadata)['request_id']) ?? headers.get('x-request-id')
    const slug = type?.split('/').pop() ?? null
    const request = requestId === null ? '' : ` [request ${requestId}]`
    super([`${title} (${slug === null ? '' : `${slug}, `}${status}):`, says, ...(remedy === null ? [] : [remedy])].join(' ') + request)
    this.status = status
    this.type = type
    this.slug = slug
    this.title = title
    this.detail = says
    this.error_category = textOf(problem['error_category'])
    this.is_retriable = known ? problem['is_retriable'] === true : PROXY_STATUSES.includes(status)
    this.retry_after_seconds = secondsOf(headers.get('retry-after')) ?? numberOf(problem['retry_after_seconds'])
    this.alternative_action = remedy
    this.request_id = requestId
    this.attempts = listOf(fieldsOf(metadata)['attempts'])
    this.validation = listOf(detail)
    this.headers = headers
    this.raw = body ?? text
  }
}

/** 400: the request is malformed. */
export class BadRequestError extends APIStatusError {}
/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends APIStatusError {}
/** 402: the balance is below the price of the call. */
export class InsufficientCreditsError extends APIStatusError {}
/** 403: the key does not cover the call. */
export class PermissionDeniedError extends APIStatusError {}
/** 404: the path or an id in it is unknown. */
export class NotFoundError extends APIStatusError {}
/** 409: the Idempotency-Key is in use. */
export class ConflictError extends APIStatusError {}
/** 422: parameters are wrong; `validation` lists them. */
export class ValidationError extends APIStatusError {}
/** 422: the target refused. */
export class TargetBlockedError extends APIStatusError {}
/** 422: nothing was found. */
export class NoResultError extends APIStatusError {}
/** 429: too many requests. */
export class RateLimitError extends APIStatusError {}
/** 500: the gateway failed. */
export class InternalServerError extends APIStatusError {}
/** 502 and 504: providers or the target failed, or time ran out. */
export class ProviderError extends APIStatusError {}
/** 503: the gateway cannot serve the call now. */
export class UnavailableError extends APIStatusError {}

/** Statuses by which proxies report a gateway that may be back soon. */
const PROXY_STATUSES: readonly number[] = [502, 503, 504]

const BY_STATUS = new Map<number, typeof APIStatusError>([
  [400, BadRequestError],
  [401, AuthenticationError],
  [402, InsufficientCreditsError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [409, ConflictError],
  [429, RateLimitError],
  [500, InternalServerError],
  [502, ProviderError],
  [503, UnavailableError],
  [504, ProviderError],
])
const UNPROCESSABLE = new Map<string, typeof APIStatusError>([
  ['validation-failed', ValidationError],
  ['target-blocked', TargetBlockedError],
  ['no-result', NoResultError],
])

/** The error of an answer that failed, of the class of its status, or with status 422 of its slug. @internal */
export function statusError(answer: Answer): APIStatusError {
  const slug =
    textOf(fieldsOf(fieldsOf(answer.body)['error'])['type'])
      ?.split('/')
      .pop() ?? ''
  const kind = answer.status === 422 ? UNPROCESSABLE.get(slug) : BY_STATUS.get(answer.status)
  return new (kind ?? APIStatusError)(answer)
}

/** The fields of a JSON object; none of any other value. @internal */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** The beginning of a text that should have been JSON, in quotes. @internal */
export function firstWords(text: string): string {
  return JSON.stringify(text.slice(0, 200).trim().replace(/\s+/g, ' ').slice(0, 100))
}

/** @internal */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** @internal */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : []
}

/** Seconds of a Retry-After header, which is a number or a date. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
