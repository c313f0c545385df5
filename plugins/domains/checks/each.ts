import { Fault, mostUseful, type Services } from '../../../core/sdk/index.js'
import type { Availability } from '../contract.js'

interface EachOptions {
  /** Milliseconds for all of them. */
  readonly budgetMs: number
  readonly atOnce: number
  /** The availability of one domain; null when unknown. */
  readonly ask: (domain: string) => Promise<Availability | null>
}

/**
 * Checks each domain, several in parallel, and returns the results available when the time is over; null for none. A
 * failed one counts as unknown if another is known, but a Fault about the vendor's key or account ends the rest.
 * Without any result it throws the most useful Fault, `busy` if the time was over before all had answered.
 */
export async function eachDomain(
  domains: readonly string[],
  context: Services,
  { budgetMs, atOnce, ask }: EachOptions,
): Promise<{ domains: Availability[] } | null> {
  const found = new Map<string, Availability>()
  const left = [...domains]
  let done = 0
  const failures: Fault[] = []
  const accounts: Fault[] = []
  let ended = false
  const kinds = new Map<string, number>()
  const inTurn = async (): Promise<void> => {
    for (let domain = left.shift(); domain !== undefined && !ended; domain = left.shift()) {
      try {
        const known = await ask(domain)
        done++
        if (known === null) context.progress('checking', `${domain}: unknown`, done, domains.length)
        else {
          found.set(domain, known)
          context.partialResult('checking', `${domain}: ${known.status}`, done, domains.length)
        }
      } catch (error) {
        if (!Fault.is(error) || context.signal.aborted) throw error
        done++
        kinds.set(error.kind, (kinds.get(error.kind) ?? 0) + 1)
        const isOfAccount = error.kind === 'credentials' || error.kind === 'quota'
        ended ||= isOfAccount
        if (isOfAccount) accounts.push(error)
        else if (error.kind !== 'missing' || domains.length === 1) failures.push(error)
      }
    }
  }
  const all = Promise.all(Array.from({ length: Math.min(atOnce, domains.length) }, inTurn))
  await Promise.race([all, context.wait(budgetMs)])
  if (kinds.size > 0) context.log('domains could not be checked', Object.fromEntries(kinds))
  if (found.size === 0 && !ended && done < domains.length)
    failures.push(new Fault('busy', 'No answer arrived in time.', { unavailable: true }))
  if (found.size === 0 && ended) throw mostUseful(accounts)
  if (found.size === 0 && failures.length > 0) throw mostUseful(failures)
  return found.size === 0 ? null : { domains: domains.flatMap((domain) => found.get(domain) ?? []) }
}
