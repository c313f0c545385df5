import { send, type Reply } from '../../support/gateway.js'
import type { Answered } from '../../support/mistakes.js'
import type { Attempt } from './attempt.js'
import type { World } from './world.js'

/** A mistake with its answer, and the answer as it came. */
export interface Sending {
  readonly attempt: Attempt
  readonly answered: Answered
  readonly reply: Reply
  /** The request, for the OpenAPI description. */
  readonly request: { readonly method: string; readonly path: string }
}

/** Sends a mistake, from an address of its own so that failed logins do not add up. */
export async function sendAttempt({ gateway, names }: World, attempt: Attempt, index: number): Promise<Sending> {
  const { of, sent } = attempt
  const [method = '', path = ''] = of.split(' ')
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole)
  const request = { method: sent.method ?? method, path: filled(sent.path ?? path) }
  const auth = sent.auth === undefined ? `Bearer ${path.startsWith('/admin') ? '{token}' : '{key}'}` : sent.auth
  const headers = Object.fromEntries(Object.entries(sent.headers ?? {}).map(([name, value]) => [name, filled(value)]))
  const reply = await send(`${gateway.url}${request.path}${sent.query === undefined ? '' : `?${filled(sent.query)}`}`, {
    method: request.method,
    headers: {
      'x-forwarded-for': `2001:db8:${(index + 1).toString(16)}::1`,
      ...(auth === null ? {} : { authorization: filled(auth) }),
      ...headers,
    },
    key: null,
    ...(sent.body === undefined ? {} : { body: filled(typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body)) }),
  })
  return { attempt, reply, request, answered: { of, tried: inWords(attempt), says: attempt.says, code: reply.status, answer: seen(reply) } }
}

const LONGEST = 160

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} … (${text.length} characters)`
}

/** What was sent, as one line. */
export function inWords({ of, sent }: Attempt): string {
  const { method, path, query, headers = {}, body, auth } = sent
  const [usual = '', own = ''] = of.split(' ')
  const parts = [
    ...(method === undefined && path === undefined ? [] : [`${method ?? usual} ${path ?? own}`]),
    ...(query === undefined ? [] : [`?${query}`]),
    ...(auth === undefined ? [] : [auth === null ? 'no Authorization' : `Authorization: ${auth}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${shortened(value)}`),
    ...(body === undefined ? [] : [typeof body === 'string' ? body : JSON.stringify(body)]),
  ]
  return parts.length === 0 ? 'nothing' : shortened(parts.join(', ').replaceAll(/[\r\n]+/g, ' '))
}

interface Problem {
  readonly type: string
  readonly detail: string
  readonly alternative_action: string
}

/** What a newcomer reads of an answer: which problem, what was wrong, and what to do. */
function seen(reply: Reply): string {
  if (reply.status < 400) return reply.text.replaceAll(/\s+/g, ' ').slice(0, LONGEST)
  const answer = reply.json<Problem & { readonly error?: Problem | null }>()
  const { type, detail, alternative_action } = answer.error ?? answer
  const { allow } = reply.headers
  const slug = type.slice(type.lastIndexOf('/') + 1)
  return [`${slug}: ${detail}`, ...(allow === undefined ? [] : [`(Allow: ${allow})`]), alternative_action].join(' ')
}
