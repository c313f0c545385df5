/** One kind of error for callers: everything that does not depend on the call. */
export interface ProblemKind {
  readonly status: number
  readonly title: string
  readonly category: Category
  readonly retriable: boolean
  /** Cause, for the page of the error type. */
  readonly cause: string
  /** Remedy, for the page and as `alternative_action`. */
  readonly cure: string
}

export type Category =
  'invalid_request' | 'authentication' | 'insufficient_credits' | 'target_blocked' | 'transient' | 'provider' | 'internal'

/** Every error of the service. A test compares each with its page, its status and OpenAPI. */
export const CATALOGUE = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    category: 'invalid_request',
    retriable: false,
    cause:
      'The body is not a JSON object (for POST /v1/files: no form), a header or the query string is malformed, or an Idempotency-Key is over 255 characters.',
    cure: 'Send a JSON object with Content-Type: application/json and correct the header or field named in the detail.',
  },
  'authentication-required': {
    status: 401,
    title: 'API key required',
    category: 'authentication',
    retriable: false,
    cause: 'The request carries no Authorization header, or its scheme is not Bearer.',
    cure: 'Send the header Authorization: Bearer <API key>. Create a key with POST /v1/keys or capstan keys create.',
  },
  'invalid-api-key': {
    status: 401,
    title: 'Invalid API key',
    category: 'authentication',
    retriable: false,
    cause: 'The key is mistyped, unknown, revoked or expired.',
    cure: 'Check the key for missing characters, or create a new one with POST /v1/keys or capstan keys create.',
  },
  'insufficient-credits': {
    status: 402,
    title: 'Insufficient credits',
    category: 'insufficient_credits',
    retriable: false,
    cause: 'The balance of the account, minus the credits held by running calls, is below the price of this call.',
    cure: 'Ask the operator to add credits (capstan credits grant) or to allow overage, or choose a cheaper mode.',
  },
  'key-not-allowed': {
    status: 403,
    title: 'Not allowed for this key',
    category: 'authentication',
    retriable: false,
    cause: 'The scopes, allowed addresses or spending cap of the key exclude this call, or its account is disabled.',
    cure: 'Use a key whose scopes, allowed_ips and credit limits cover the call.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    category: 'invalid_request',
    retriable: false,
    cause: 'The path or an id in it is unknown, or the id belongs to another account.',
    cure: 'Compare the path with GET /v1/openapi.json and the id with the list that contains it.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    category: 'invalid_request',
    retriable: false,
    cause: 'The path exists, but does not support this HTTP method.',
    cure: 'Use one of the methods listed in the Allow header.',
  },
  'idempotency-conflict': {
    status: 409,
    title: 'Idempotency-Key conflict',
    category: 'invalid_request',
    retriable: false,
    cause: 'A call with the same Idempotency-Key is still running, or its outcome is unknown and it must not be repeated.',
    cure: 'Wait as long as Retry-After says and send the same request again; if the outcome is unknown, use a new Idempotency-Key.',
  },
  // Admin routes alone: the text of the other 409 is about Idempotency-Keys and would mislead.
  conflict: {
    status: 409,
    title: 'Conflict with the current state',
    category: 'invalid_request',
    retriable: false,
    cause: 'An overage limit was lowered below what is in use, or a reference was used before with another amount.',
    cure: 'Read the account again and send a value that agrees with it.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Request body too large',
    category: 'invalid_request',
    retriable: false,
    cause: 'The body is larger than this endpoint accepts.',
    cure: 'Send less, or send the URL of a file instead of its content.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    category: 'invalid_request',
    retriable: false,
    cause: 'The Content-Type is not application/json, or for POST /v1/files not multipart/form-data, or the body is compressed.',
    cure: 'Send an uncompressed body with the Content-Type named in the detail.',
  },
  'validation-failed': {
    status: 422,
    title: 'Validation failed',
    category: 'invalid_request',
    retriable: false,
    cause: 'A parameter is missing, unknown, of the wrong type or out of range; or an Idempotency-Key was used before with another body.',
    cure: 'Correct every field listed in detail; GET /v1/openapi.json has the schema of every endpoint.',
  },
  'target-blocked': {
    status: 422,
    title: 'Target blocked',
    category: 'target_blocked',
    retriable: false,
    cause: 'The target refused the request, requires a captcha or a login, exceeds a limit, or is not a public address.',
    cure: 'Try a stronger mode if the capability has modes, or another address.',
  },
  'answer-too-large': {
    status: 422,
    title: 'Answer too large',
    category: 'invalid_request',
    retriable: false,
    cause: 'The call succeeded, but its answer is larger than this gateway returns (limits.answer). Nothing was charged.',
    cure: 'Request less: fewer results, fewer pages, a narrower schema. The operator can raise limits.answer.',
  },
  'no-result': {
    status: 422,
    title: 'No result',
    category: 'target_blocked',
    retriable: false,
    cause: 'The request was valid and every provider was tried, but none found a result.',
    cure: 'Correct what was searched for, or add more fields; metadata.attempts says what each provider found.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    category: 'transient',
    retriable: true,
    cause:
      'The key, or the address when no key was sent, exceeded its limit of requests in one minute, or used up a cap that the detail names.',
    cure: 'Wait as long as Retry-After says, or use a key with a higher rate_limit_per_minute.',
  },
  'too-many-in-flight': {
    status: 429,
    title: 'Too many concurrent calls',
    category: 'transient',
    retriable: true,
    cause: 'The key or its account has reached its limit of concurrent calls.',
    cure: 'Wait for running calls to end, or ask the operator for a higher limit (limits.key_concurrency, limits.account_concurrency).',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    category: 'internal',
    retriable: true,
    cause: 'The gateway failed. Nothing was charged.',
    cure: 'Try again; if it happens again, give the request id to the operator.',
  },
  'providers-failed': {
    status: 502,
    title: 'All providers failed',
    category: 'provider',
    retriable: true,
    cause: 'Every provider of this capability was tried and none could serve the call. metadata.attempts lists the failures.',
    cure: 'Try again later; metadata.attempts lists how each provider failed.',
  },
  'target-unavailable': {
    status: 502,
    title: 'Target unavailable',
    category: 'transient',
    retriable: true,
    cause: 'The target, or its name servers, did not answer in time, closed the connection early, or answered with status 429 or 5xx.',
    cure: 'Wait as long as Retry-After says and try again, or try another address.',
  },
  'capability-unavailable': {
    status: 503,
    title: 'Capability unavailable',
    category: 'provider',
    retriable: false,
    cause: 'No provider of this capability is live on this gateway.',
    cure: 'Ask the operator to configure one of the settings named in the detail.',
  },
  overloaded: {
    status: 503,
    title: 'Gateway overloaded',
    category: 'transient',
    retriable: true,
    cause: 'The gateway is shedding load or stopping, or all slots for this kind of work are in use.',
    cure: 'Wait as long as Retry-After says and try again.',
  },
  'store-unavailable': {
    status: 503,
    title: 'Ledger unavailable',
    category: 'transient',
    retriable: true,
    cause: 'The database did not answer in time, or its disk is full, so no call can be charged.',
    cure: 'Wait as long as Retry-After says and try again.',
  },
  'deadline-exceeded': {
    status: 504,
    title: 'Deadline exceeded',
    category: 'transient',
    retriable: true,
    cause: 'The deadline of the call passed before any provider had an answer.',
    cure: 'Try again, request less (fewer results, a faster mode), or set a longer timeout.',
  },
} as const satisfies Record<string, ProblemKind>

export type Slug = keyof typeof CATALOGUE

/** True for a slug of the catalogue. */
export function isSlug(text: string): text is Slug {
  return Object.hasOwn(CATALOGUE, text)
}
