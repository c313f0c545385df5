import { createSign } from 'node:crypto'
import { Fault, foreignJson, isRecord, Type, type ProviderContext, type Resource } from '../../core/sdk/index.js'

/** The current access token, only in this gateway's memory. */
interface Kept {
  credentials: string
  token: string
  untilMs: number
}

const kept: Resource<{ current: Kept | null }> = { id: 'invoices.google-token', open: () => Promise.resolve({ current: null }) }
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const AUDIENCE = 'https://oauth2.googleapis.com/token'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFE_S = 3_600
/** A token is not used in its last minutes. */
const MARGIN_S = 300
const Reply = Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number() })

type Context = Pick<ProviderContext, 'api' | 'secret' | 'use'>

/** A service account key (JSON) is exchanged for a token (RFC 7523), which is used while valid; anything else is treated as a token. */
export async function accessToken(context: Context, now: () => number = Date.now): Promise<string> {
  const credentials = context.secret('credentials')
  if (!credentials.trimStart().startsWith('{')) return credentials
  const state = await context.use(kept)
  if (state.current?.credentials === credentials && state.current.untilMs > now()) return state.current.token
  const { email, key } = serviceAccount(credentials)
  const form = { grant_type: GRANT, assertion: assertion(email, key, Math.floor(now() / 1000)) }
  const reply = await context.api.json({ method: 'POST', host: 'token', path: '/token', form }, Reply)
  state.current = { credentials, token: reply.access_token, untilMs: now() + (reply.expires_in - MARGIN_S) * 1000 }
  return reply.access_token
}

function serviceAccount(credentials: string): { email: string; key: string } {
  try {
    const account = foreignJson(credentials)
    if (isRecord(account) && typeof account['client_email'] === 'string' && typeof account['private_key'] === 'string')
      return { email: account['client_email'], key: account['private_key'] }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw unusable('it must be the JSON key of a service account, with client_email and private_key, or an access token')
}

function assertion(email: string, key: string, now: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: email, scope: SCOPE, aud: AUDIENCE, iat: now, exp: now + LIFE_S }
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
  } catch (error) {
    throw unusable('its private_key cannot be used', error)
  }
}

const unusable = (why: string, cause?: unknown): Fault =>
  new Fault('credentials', `GOOGLE_DOCUMENT_AI_CREDENTIALS is not usable: ${why}.`, cause === undefined ? {} : { cause })
