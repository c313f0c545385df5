import { randomBytes } from 'node:crypto'
import { failed } from '../calls/envelope.js'
import type { Log } from '../runtime/log-events.js'
import type { Problem } from '../problems/problem.js'
import { SECURITY } from './headers.js'

/** Options of answers outside the pipeline. */
export interface RawResponseOptions {
  readonly publicUrl: () => string
  readonly addressLimit: number
  readonly log?: Log
}

/** Builds and logs the answer to a request that never reached the pipeline, with the envelope and headers of every error. */
export function rawResponse(problem: Problem, about: RawResponseOptions): { headers: Record<string, string>; body: string } {
  const requestId = `req_${randomBytes(12).toString('hex')}`
  const { retryAfterSeconds, headers } = problem.options
  about.log?.('request', `unknown ${problem.status}`, {
    path: 'unknown',
    status: problem.status,
    credits: 0,
    slug: problem.slug,
    request_id: requestId,
  })
  const body = JSON.stringify(
    failed(problem, { requestId, ms: 0, attempts: [], notes: [], providerUsed: null, modeUsed: null, balance: null }, about.publicUrl()),
  )
  return {
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': requestId,
      'X-Credits-Used': '0',
      'X-RateLimit-Limit': String(about.addressLimit),
      'X-RateLimit-Remaining': String(about.addressLimit),
      'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + 60),
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...SECURITY,
      Connection: 'close',
      ...headers,
    },
  }
}
