import { Fault, provider, type Services } from '../../../core/sdk/index.js'
import { whois as vendor } from '../../_vendors/whois.js'
import { registered, unregistered } from '../answers.js'
import { registrationFind } from '../contract.js'
import { registrableDomain } from '../domain.js'
import { known, type Known } from '../known.js'
import { completed } from '../record.js'
import { unanswered, unlisted } from '../unanswered.js'
import { queryWhois, referredHost, type WhoisAnswer } from '../whois-client.js'
import { IANA } from '../whois-servers.js'

const IANA_MS = 5_000
const REGISTRY_MS = 8_000
const REGISTRAR_MS = 5_000
/** A try that reached its limit would suspend the vendor, so everything inside ends before. */
const TRY_MS = 20_000
/** With less time left the registrar is not queried. */
const LEAST_LEFT_MS = 1_500

const BARE = "The registry's WHOIS record of the domain has neither dates nor name servers, or has them in an unreadable format."

export const whois = provider(registrationFind, {
  vendor,
  rank: 20,
  timeoutMs: TRY_MS,
  run: async ({ domain: name, contacts }, context) => {
    const domain = registrableDomain(name)
    const state = await context.use(known)
    const { answer, queried, guessed } = await fromRegistry(domain, context, state)
    const { verdict, record, referral } = answer.reading
    const source = { domain, source: 'whois', server: answer.server, raw: answer.text } as const
    if (verdict.is === 'registered') {
      const registrar = contacts && record.registrant === null ? referredHost(referral) : null
      const notes = answer.reading.bare ? [BARE] : []
      if (registrar === null || queried.has(registrar) || context.timeLeft() < LEAST_LEFT_MS)
        return registered(record, { ...source, notes })
      const copy = await fromRegistrar(registrar, domain, context, state)
      if (copy === null)
        return registered(record, {
          ...source,
          notes: [...notes, `The registrar's WHOIS server ${registrar} had no record of the domain.`],
        })
      return registered(completed(record, copy.reading.record), { ...source, raw: `${answer.text}\n${copy.text}`, notes })
    }
    if (verdict.is === 'reserved') return unregistered({ ...source, notes: ['The registry reserves this name.'] }, { reserved: true })
    // A guessed server may not cover all names of the registry.
    if (verdict.is === 'free' && !guessed) return unregistered({ ...source, notes: [] })
    if (verdict.is === 'free') throw unlisted(`IANA names no WHOIS server for the TLD, and ${answer.server} may not know all of its names.`)
    throw unanswered(`The answer of ${answer.server} says neither that the domain is registered nor that it is not.`)
  },
})

interface FromRegistry {
  readonly answer: WhoisAnswer
  readonly queried: ReadonlySet<string>
  /** The server was only guessed by its usual name. */
  readonly guessed: boolean
}

/** Queries the server of the TLD, as named by IANA if not listed. */
async function fromRegistry(domain: string, context: Services, { whoisServers, hosts }: Known): Promise<FromRegistry> {
  const server = whoisServers.of(domain)
  const first = await queryWhois(
    { host: server ?? IANA, domain, timeoutMs: server === null ? IANA_MS : REGISTRY_MS, first: true },
    context,
    hosts,
  )
  const queried = new Set([server ?? IANA])
  // The operator's own server may answer everything, or refer like IANA.
  const refer = server === null || first.own ? referredHost(first.reading.refer) : null
  if (first.reading.verdict.is === 'registered' || (server !== null && refer === null)) return { answer: first, queried, guessed: false }
  if (first.own && refer === null) return { answer: first, queried, guessed: false }
  const tld = domain.slice(domain.lastIndexOf('.') + 1)
  if (refer === null && first.reading.without) throw unlisted(`The registry of .${tld} has no WHOIS server, by IANA's list.`)
  const host = refer ?? `whois.nic.${tld}`
  if (queried.has(host)) throw unlisted(`The WHOIS server ${host} refers to itself.`)
  const answer = await queryWhois({ host, domain, timeoutMs: REGISTRY_MS, first: false, guessed: refer === null }, context, hosts)
  if (refer !== null && !first.own) whoisServers.record(domain, host)
  return { answer, queried: queried.add(host), guessed: refer === null }
}

/** The registrar's own record; null when it has none. Its answer never turns a registered name into an unregistered one. */
async function fromRegistrar(host: string, domain: string, context: Services, { hosts }: Known): Promise<WhoisAnswer | null> {
  try {
    const timeoutMs = Math.min(REGISTRAR_MS, context.timeLeft())
    const answer = await queryWhois({ host, domain, timeoutMs, first: false }, context, hosts)
    return answer.reading.verdict.is === 'registered' ? answer : null
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    context.log("a registrar's WHOIS record was not to be had", { host, kind: error.kind })
    return null
  }
}
