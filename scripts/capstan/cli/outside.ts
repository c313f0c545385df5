import { Cancel } from '../../../core/runtime/cancel.js'
import type { Clock } from '../../../core/runtime/clock.js'
import type { Check } from '../../../core/diagnosis/types.js'
import type { Outbound } from '../../../core/outbound/types.js'
import { Fault } from '../../../core/sdk/index.js'

const LIMIT_MS = 1_000

/** The name and page to check, and the setting of the resolver. */
interface Outside {
  readonly name: string
  readonly url: string
  /** The configured resolver; null for the system's. */
  readonly dns: string | null
  readonly dnsVariable: string
}

/** Checks that names can be resolved and pages reached, concurrently and within a second each. */
export async function checkOutside(
  outbound: Pick<Outbound, 'net' | 'web'>,
  clock: Clock,
  { name, url, dns, dnsVariable }: Outside,
): Promise<Check[]> {
  const servers = dns ?? "the system's name servers"
  const [resolver, internet] = await Promise.all([
    within(clock, (cancel) => outbound.net.query(name, 'A', cancel)),
    within(clock, (cancel) => outbound.web.get(url, { method: 'HEAD', timeoutMs: LIMIT_MS, maxRedirects: 0 }, cancel)),
  ])
  return [
    {
      name: 'resolver',
      ok: resolver.failure === null,
      detail:
        resolver.failure === null
          ? `${servers} resolved ${name} in ${resolver.ms} ms`
          : `no answer for ${name} from ${servers} (${resolver.failure}); set ${dnsVariable} to another one`,
    },
    {
      name: 'internet',
      ok: internet.failure === null,
      detail:
        internet.failure === null
          ? `${url} answered in ${internet.ms} ms`
          : `${url} cannot be reached (${internet.failure}); capabilities that need only this machine or your own network still work`,
    },
  ]
}

async function within(
  clock: Clock,
  work: (cancel: Cancel) => Promise<unknown>,
): Promise<{ readonly failure: string | null; readonly ms: number }> {
  const started = clock.monotonic()
  const cancel = new Cancel(clock, started + LIMIT_MS)
  let late: () => void = () => undefined
  const over = new Promise<string>((resolve) => void (late = clock.after(LIMIT_MS, () => resolve(`no answer within ${LIMIT_MS / 1000} s`))))
  const result = work(cancel).then(
    () => null,
    (error: unknown) => (Fault.is(error) ? error.message : error instanceof Error ? error.message : String(error)),
  )
  const failure = await Promise.race([result, over])
  late()
  if (failure !== null) cancel.cancel('deadline')
  return { failure, ms: Math.round(clock.monotonic() - started) }
}
