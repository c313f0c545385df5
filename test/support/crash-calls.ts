import { request } from 'node:http'
import type { CrashBooks } from './crash-books.js'

/** `keyed` has an Idempotency-Key, `broken` meets a vendor that fails, `leaves` hangs up at the first byte of a large answer. */
export type CallKind = 'plain' | 'keyed' | 'broken' | 'leaves'

/** Sends one call and notes what its client saw. Answers its status, 0 when no whole answer came. */
export function crashCall(
  url: string,
  key: string,
  { id, kind }: { readonly id: string; readonly kind: CallKind },
  books: CrashBooks,
): Promise<number> {
  const text = kind === 'leaves' ? `wide ${id}` : kind === 'broken' ? `broken ${id}` : id
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-request-id': kind === 'keyed' ? `${id}-${books.attempt()}` : id,
    ...(kind === 'keyed' ? { 'idempotency-key': id } : {}),
  }
  return new Promise((resolve) => {
    const call = request(`${url}/v1/test/echo`, { method: 'POST', headers, agent: false }, (reply) => {
      const status = reply.statusCode ?? 0
      if (kind === 'leaves') {
        reply.destroy()
        resolve(0)
        return
      }
      reply.on('error', () => resolve(0))
      reply.on('end', () => {
        if (!reply.complete) resolve(0)
        else {
          books.answered(id, status)
          resolve(status)
        }
      })
      reply.resume()
    })
    call.on('error', () => resolve(0))
    call.end(JSON.stringify({ text }))
  })
}
