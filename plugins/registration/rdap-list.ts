import { Fault, type ProviderContext } from '../../core/sdk/index.js'
import type { BootstrapList } from './bootstrap.js'

const MAX_BYTES = 4 * 1024 * 1024
const FETCH_MS = 4_000
const WORK_MS = 5_000
const WEEK_S = 7 * 86_400
const READER = new URL('work/bootstrap.js', import.meta.url)

/** Fetches and reads the list of RDAP servers. Throws a Fault when it is not to be had or is none. */
export async function fetchBootstrap(context: ProviderContext<{ readonly bootstrap: string }>): Promise<BootstrapList> {
  const page = await context.web.get(context.settings.bootstrap, {
    headers: { accept: 'application/json' },
    maxBytes: MAX_BYTES,
    timeoutMs: FETCH_MS,
  })
  if (page.status !== 200) throw new Fault('broken', `The list of RDAP servers answered with status ${String(page.status)}.`)
  const pairs = await context.work<readonly (readonly [string, string])[] | null>(READER, page.bytes, { timeoutMs: WORK_MS })
  if (pairs === null) throw new Fault('broken', "The list of RDAP servers is not in IANA's form.")
  const [, seconds = '0'] = /\bmax-age=(\d{1,9})\b/.exec(page.headers['cache-control'] ?? '') ?? []
  return { bases: new Map(pairs), freshMs: Math.min(Number(seconds), WEEK_S) * 1_000 }
}
