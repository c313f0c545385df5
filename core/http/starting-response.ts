import type { RequestListener, ServerResponse } from 'node:http'
import { Problem } from '../problems/problem.js'
import { rawResponse, type RawResponseOptions } from './errors.js'
import { SECURITY } from './headers.js'

const STARTING = 'The gateway is starting and its database does not answer yet. Nothing was charged.'

/** Answers until the store is reached after a start: alive, not ready, calls with Retry-After. `detail`: as on the admin listener. */
export function startingListener(about: RawResponseOptions, detail: 'checks' | 'none'): RequestListener {
  const checks = detail === 'none' ? {} : { checks: [{ name: 'store', ok: false, detail: 'has not answered since the start' }] }
  return (request, response) => {
    request.resume()
    switch ((request.url ?? '').split('?', 1)[0]) {
      case '/healthz':
        return json(response, 200, { status: 'ok' })
      case '/readyz':
        return json(response, 503, { status: 'not ready', ...checks })
      default: {
        const problem = new Problem('store-unavailable', STARTING, { retryAfterSeconds: 2 })
        const { headers, body } = rawResponse(problem, about)
        response.writeHead(problem.status, headers).end(request.method === 'HEAD' ? undefined : body)
      }
    }
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...SECURITY }).end(JSON.stringify(value))
}
