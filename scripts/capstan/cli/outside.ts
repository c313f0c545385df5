import { Cancel } from '../../../core/runtime/cancel.js'
import type { Clock } from '../../../core/runtime/clock.js'
import type { Check } from '../../../core/diagnosis/types.js'
import type { Outbound } from '../../../core/outbound/types.js'
import { Fault } from '../../../core/sdk/index.js'

const LIMIT_MS = 1_000

/** What is asked for outside, and the setting that names the resolver. */
interface Outside {
  readonly name: string
  readonly url: string
  /** Of the configuration; null for the system's. */
  readonly dns: string | null
  readonly dnsVariable: string
}

/** Whether names are answered and pages reached, as calls would, at once and within a second each. */
export async function lookOutside(
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
          ? `${name} is answered by ${servers} within ${resolver.ms} ms`
          : `no answer for ${name} by ${servers} (${resolver.failure}); ${dnsVariable} names another one`,
    },
    {
      name: 'internet',
      ok: internet.failure === null,
      detail:
        internet.failure === null
          ? `${url} answers within ${internet.ms} ms`
          : `${url} is not reached (${internet.failure}); what works on this machine or in your own network still answers`,
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
  const over = new Promise<string>((resolve) => void (late = clock.after(LIMIT_MS, () => resolve(`nothing within ${LIMIT_MS / 1000} s`))))
  const result = work(cancel).then(
    () => null,
    (error: unknown) => (Fault.is(error) ? error.message : error instanceof Error ? error.message : String(error)),
  )
  const failure = await Promise.race([result, over])
  late()
  if (failure !== null) cancel.cancel('deadline')
  return { failure, ms: Math.round(clock.monotonic() - started) }
}
