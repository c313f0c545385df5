import { Fault, Type, type ProviderContext } from '../../core/sdk/index.js'
import { unanswered } from './unanswered.js'

type Context = ProviderContext<{ readonly bootstrap: string; readonly per_second: number }>

const MAX_BYTES = 4 * 1024 * 1024
const FETCH_MS = 4_000
const WORK_MS = 5_000
const READER = new URL('work/bootstrap.js', import.meta.url)
/**
 * A day, as RFC 9224 8 allows clients to cache it; while it cannot be renewed, an old list is used for another week,
 * and after a failure requests pause.
 */
const KEPT = { seconds: 86_400, staleSeconds: 7 * 86_400, missingSeconds: 30 } as const
/** Labels, and the address of the server for names below them. */
const servers = Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), { maxItems: 20_000 })

/**
 * The address of the RDAP server for a domain by IANA's list (RFC 9224): that of the entry with most labels; null
 * when no entry matches. The list is shared by all lookups and replicas. Throws a `busy` Fault while it is
 * unavailable.
 */
export async function rdapServerOf(domain: string, context: Context): Promise<string | null> {
  const bases = new Map((await listOf(context)).map(([labels = '', base = '']) => [labels, base]))
  const labels = domain.split('.')
  for (let at = 1; at < labels.length; at++) {
    const base = bases.get(labels.slice(at).join('.'))
    if (base !== undefined) return base
  }
  return null
}

async function listOf(context: Context): Promise<readonly (readonly string[])[]> {
  try {
    return await context.cache.get(['rdap servers', context.settings.bootstrap], { shape: servers, ...KEPT }, fetched)
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    const pause = error.kind === 'missing' ? { retryAfterSeconds: KEPT.missingSeconds } : {}
    throw unanswered(error.message, { ...pause, cause: error })
  }
}

/** Fetches and parses the list. Throws Fault `missing` when its server does not return it, so that it is not requested again at once. */
async function fetched(context: Context): Promise<string[][]> {
  try {
    const headers = { accept: 'application/json' }
    const { status, bytes } = await context.web.get(context.settings.bootstrap, { headers, maxBytes: MAX_BYTES, timeoutMs: FETCH_MS })
    if (status !== 200) throw new Fault('missing', `The list of RDAP servers answered with status ${String(status)}.`)
    const pairs = await context.work<[string, string][] | null>(READER, bytes, { timeoutMs: WORK_MS })
    if (pairs === null) throw new Fault('missing', "The list of RDAP servers is not in IANA's form.")
    return pairs
  } catch (error) {
    // A name resolution failure proves nothing about the server.
    if (!Fault.is(error) || error.kind === 'missing' || error.obstacle === 'server-failure' || context.signal.aborted) throw error
    throw new Fault('missing', `The list of RDAP servers could not be fetched: ${error.message}`, { cause: error })
  }
}
