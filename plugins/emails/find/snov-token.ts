import { Fault, Type, type ProviderContext, type Resource } from '../../../core/sdk/index.js'

/** The current access token, only in this gateway's memory. */
interface Kept {
  readonly client: string
  readonly token: string
  readonly untilMs: number
}

const kept: Resource<{ current: Kept | null }> = { id: 'emails.snov-token', open: () => Promise.resolve({ current: null }) }
/** A token is not used in its last minutes. */
const MARGIN_S = 300
const Reply = Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Optional(Type.Unknown()) })

type Context = Pick<ProviderContext, 'api' | 'secret' | 'use'>

/** Runs work with the header of an access token; repeats it with a new token after a refusal. */
export async function withToken<T>(
  context: Context,
  work: (headers: Readonly<Record<string, string>>) => Promise<T>,
  now: () => number = Date.now,
): Promise<T> {
  const state = await context.use(kept)
  const client = `${context.secret('client_id')} ${context.secret('client_secret')}`
  const renewed = async (): Promise<string> => {
    const { token, untilMs } = await newToken(context, now)
    state.current = { client, token, untilMs }
    return token
  }
  const { current } = state
  const old = current !== null && current.client === client && current.untilMs > now() ? current.token : null
  try {
    return await work(bearer(old ?? (await renewed())))
  } catch (error) {
    if (old === null || !Fault.is(error) || error.status !== 401) throw error
    return await work(bearer(await renewed()))
  }
}

async function newToken(context: Context, now: () => number): Promise<{ readonly token: string; readonly untilMs: number }> {
  const form = { grant_type: 'client_credentials', client_id: context.secret('client_id'), client_secret: context.secret('client_secret') }
  const reply = await context.api.json({ method: 'POST', path: '/v1/oauth/access_token', form }, Reply)
  const seconds = typeof reply.expires_in === 'number' ? reply.expires_in : 0
  return { token: reply.access_token, untilMs: now() + (seconds - MARGIN_S) * 1_000 }
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` }
}
