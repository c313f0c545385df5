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
    title: 'The request could not be read',
    category: 'invalid_request',
    retriable: false,
    cause:
      'The body is not a JSON object (for POST /v1/files: no form), a header or the query string is malformed, or an Idempotency-Key is over 255 characters.',
    cure: 'Send a JSON object with Content-Type: application/json and correct the header or field named in the detail.',
  },
  'authentication-required': {
    status: 401,
    title: 'An API key is required',
    category: 'authentication',
    retriable: false,
    cause: 'The request carries no Authorization header, or one of another scheme than Bearer.',
    cure: 'Send the header Authorization: Bearer <API key>. Keys are made with POST /v1/keys or with capstan keys create.',
  },
  'invalid-api-key': {
    status: 401,
    title: 'The API key is not valid',
    category: 'authentication',
    retriable: false,
    cause: 'The key is mistyped, unknown, revoked or expired.',
    cure: 'Check the key for missing characters, or make a new one with POST /v1/keys or capstan keys create.',
  },
  'insufficient-credits': {
    status: 402,
    title: 'Not enough credits',
    category: 'insufficient_credits',
    retriable: false,
    cause: 'The balance of the account, less what running calls hold, is below the price of this call.',
    cure: 'Ask the operator to add credits (capstan credits grant) or to allow overage, or choose a cheaper mode.',
  },
  'key-not-allowed': {
    status: 403,
    title: 'This key may not do that',
    category: 'authentication',
    retriable: false,
    cause: 'The scopes, allowed addresses or spending cap of the key exclude this call, or its account is disabled.',
    cure: 'Use a key whose scopes, allowed_ips and credit limits cover the call.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing at this address',
    category: 'invalid_request',
    retriable: false,
    cause: 'The path or the id in it is unknown, or it belongs to another account.',
    cure: 'Compare the path with GET /v1/openapi.json and the id with the list it came from.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'This method is not offered here',
    category: 'invalid_request',
    retriable: false,
    cause: 'The path exists, but not with this HTTP method.',
    cure: 'Use one of the methods in the Allow header.',
  },
  'idempotency-conflict': {
    status: 409,
    title: 'A call with this Idempotency-Key stands in the way',
    category: 'invalid_request',
    retriable: false,
    cause: 'A call with the same Idempotency-Key is still running, or it ended with an unknown outcome and must not be repeated.',
    cure: 'Wait as long as Retry-After says and send the same request again; if the outcome is unknown use a new key.',
  },
  // Admin routes alone: the text of the other 409 is about Idempotency-Keys and would mislead.
  conflict: {
    status: 409,
    title: 'The change does not fit the present state',
    category: 'invalid_request',
    retriable: false,
    cause: 'An overage limit was lowered below what is in use, or a reference was used before with another amount.',
    cure: 'Read the account again and send a value that fits.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The request body is too large',
    category: 'invalid_request',
    retriable: false,
    cause: 'The body is larger than this endpoint takes.',
    cure: 'Send less, or give the address of a file instead of its content.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body has another type than this endpoint takes',
    category: 'invalid_request',
    retriable: false,
    cause: 'The Content-Type is not application/json, or for POST /v1/files not multipart/form-data, or the body is compressed.',
    cure: 'Send an uncompressed body with the Content-Type that the detail names.',
  },
  'validation-failed': {
    status: 422,
    title: 'The parameters are not valid',
    category: 'invalid_request',
    retriable: false,
    cause: 'A parameter is missing, unknown, of another type or out of range; or an Idempotency-Key was used before with another body.',
    cure: 'Correct every field listed in detail; GET /v1/openapi.json has the schema of every endpoint.',
  },
  'target-blocked': {
    status: 422,
    title: 'The target could not be accessed',
    category: 'target_blocked',
    retriable: false,
    cause: 'The target refused the request, asked for a captcha or a login, is over a limit, or is not a public address.',
    cure: 'Try a stronger mode, where the capability has modes, or another address.',
  },
  'answer-too-large': {
    status: 422,
    title: 'The answer is too large',
    category: 'invalid_request',
    retriable: false,
    cause: 'The call succeeded, and its answer is larger than this gateway returns (limits.answer). Nothing was charged.',
    cure: 'Ask for less: fewer results, fewer pages, a narrower schema. The operator can raise limits.answer.',
  },
  'no-result': {
    status: 422,
    title: 'Nothing was found',
    category: 'target_blocked',
    retriable: false,
    cause: 'The request was valid and every provider was asked, but none had anything.',
    cure: 'The detail says what was looked for: correct it, or give more to go by.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    category: 'transient',
    retriable: true,
    cause:
      'The key, or the address when no key was sent, made more requests than its limit allows in one minute, or used up a cap that the detail names.',
    cure: 'Wait as long as Retry-After says, or use a key with a higher rate_limit_per_minute.',
  },
  'too-many-in-flight': {
    status: 429,
    title: 'Too many calls at once',
    category: 'transient',
    retriable: true,
    cause: 'The key or its account has as many calls running at the same time as its concurrency limit allows.',
    cure: 'Wait for running calls to end, or ask the operator for a higher limit (limits.key_concurrency, limits.account_concurrency).',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    category: 'internal',
    retriable: true,
    cause: 'A fault of the gateway. Nothing was charged.',
    cure: 'Try again; if it happens again give the request id to the operator.',
  },
  'providers-failed': {
    status: 502,
    title: 'All providers failed',
    category: 'provider',
    retriable: true,
    cause: 'Every provider of this capability was tried and none could serve the call. metadata.attempts says how each one failed.',
    cure: 'Try again later; metadata.attempts says how each provider failed.',
  },
  'target-unavailable': {
    status: 502,
    title: 'The target could not be reached for now',
    category: 'transient',
    retriable: true,
    cause: 'The target, or its name servers, gave no answer in time, broke the connection off, or answered with status 429 or 5xx.',
    cure: 'Wait as long as Retry-After says and try again, or try another address.',
  },
  'capability-unavailable': {
    status: 503,
    title: 'No provider is configured for this',
    category: 'provider',
    retriable: false,
    cause: 'No provider of this capability is live on this gateway.',
    cure: 'Ask the operator to make one of the settings named in the detail.',
  },
  overloaded: {
    status: 503,
    title: 'The gateway is busy',
    category: 'transient',
    retriable: true,
    cause: 'The gateway is shedding load, is stopping, or all slots for this kind of work are taken.',
    cure: 'Wait as long as Retry-After says and try again.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The ledger is out of reach',
    category: 'transient',
    retriable: true,
    cause: 'The database did not answer in time, or its disk is full, so no call can be paid for.',
    cure: 'Wait as long as Retry-After says and try again.',
  },
  'deadline-exceeded': {
    status: 504,
    title: 'The call took too long',
    category: 'transient',
    retriable: true,
    cause: 'The deadline of the whole call passed before any provider had an answer.',
    cure: 'Try again, or ask for less (fewer results, a faster mode, a longer timeout).',
  },
} as const satisfies Record<string, ProblemKind>

export type Slug = keyof typeof CATALOGUE

/** True for a slug of the catalogue. */
export function isSlug(text: string): text is Slug {
  return Object.hasOwn(CATALOGUE, text)
}
