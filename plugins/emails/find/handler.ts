import { Fault, handle, type HandlerContext } from '../../../core/sdk/index.js'
import { pattern } from '../../_vendors/pattern.js'
import { isRoleAccount } from '../address/role.js'
import { isFreeMail } from '../lists/free-mail.js'
import { mailHosts, mailHostsOf, type MailHosts } from '../mail-hosts/hosts-of.js'
import { settings } from '../settings.js'
import { domainPatterns, emailsFind, findVendors, type FindAnswer, type FindInput, type FoundAddress } from './contract.js'
import { kept } from './kept.js'
import { shownBySite } from './site.js'

const NAMES_MS = 2_000
const SITE_MS = 8_000
/** What is left to the patterns after the vendors: the site and the mail server. */
const FOR_PATTERNS_MS = 22_000
/** With less left a vendor is not asked. */
const LEAST_MS = 1_000
/** How long it is kept who takes mail for a domain. */
const HOSTS_S = 300
const DAY_S = 86_400

type Question = Pick<FindInput, 'first_name' | 'last_name' | 'domain' | 'company'>

/** Vendors one after the other until one is sure; the patterns are given what the others and the site show. */
export const emailsFindHandler = handle(
  emailsFind,
  async ({ first_name, last_name, domain, company }, ctx) => {
    const question = { first_name, last_name, domain, company: company ?? null }
    const key = [domain, first_name, last_name, question.company ?? ''].map((part) => part.toLowerCase())
    const found = await kept(key, ctx, (own) => search(question, own))
    for (const note of found.notes) ctx.note(note)
    return answer(question, found)
  },
  { settings },
)

function answer({ first_name, last_name, domain }: Question, found: FoundAddress): FindAnswer {
  const { email, confidence, verification_status } = found
  const local = email.slice(0, email.lastIndexOf('@'))
  return {
    email,
    email_type: isRoleAccount(local) ? 'role' : isFreeMail(domain) ? 'webmail' : 'professional',
    confidence,
    verification_status,
    first_name: found.first_name ?? first_name,
    last_name: found.last_name ?? last_name,
    domain,
  }
}

async function search<S>(question: Question, ctx: HandlerContext<S>): Promise<FoundAddress> {
  const mail = await ctx.aside((side) => hostsKept(question.domain, side), { withinMs: NAMES_MS })
  if (mail?.state === 'none' || mail?.state === 'null-mx')
    throw new Fault('missing', 'The domain takes no mail: nobody has an address there.')
  return await asked(question, mail?.hosts ?? [], ctx)
}

function hostsKept<S>(domain: string, ctx: HandlerContext<S>): Promise<MailHosts> {
  return ctx.cache.get(['hosts', domain], { shape: mailHosts, seconds: HOSTS_S }, (own) => mailHostsOf(domain, own))
}

async function asked<S>(question: Question, hosts: readonly string[], ctx: HandlerContext<S>): Promise<FoundAddress> {
  const faults: Fault[] = []
  const found: FoundAddress[] = []
  for (const { id, serves } of ctx.providers(findVendors)) {
    const local = id === pattern.id
    const seen = local ? await seenAt(question.domain, ctx) : { patterns: [], shown: [] }
    const left = Math.round(ctx.timeLeft() - (local ? LEAST_MS : FOR_PATTERNS_MS))
    const input = { ...question, ...seen, hosts: [...hosts], suggested: found.map(({ email }) => email), left_ms: Math.max(0, left) }
    if (left < LEAST_MS || !serves(input)) continue
    try {
      const one = await ctx.call(findVendors, input, { only: id })
      if (one.verification_status === 'valid') return one
      found.push(one)
    } catch (error) {
      if (!Fault.is(error) || ctx.signal.aborted || error.final || (error.kind === 'invalid' && error.status === undefined)) throw error
      // The day's mailboxes are used up: that nobody else knows the person says nothing then.
      if (local && error.kind === 'busy' && found.length === 0) throw error
      faults.push(error)
    }
  }
  return best(found) ?? fail(faults)
}

/** The surest, of equally sure ones the first; what somebody knows to be wrong is left out. */
function best(found: readonly FoundAddress[]): FoundAddress | undefined {
  const wrong = new Set(
    found.filter(({ verification_status }) => verification_status === 'invalid').map(({ email }) => email.toLowerCase()),
  )
  const [first] = found.filter(({ email }) => !wrong.has(email.toLowerCase())).sort((one, other) => other.confidence - one.confidence)
  return first
}

/** That nobody knows the person outweighs a vendor that could not be asked; otherwise what the caller can do something about comes first. */
function fail(faults: readonly Fault[]): never {
  const kinds = ['missing', 'busy', 'blocked', 'quota', 'credentials', 'broken', 'invalid']
  const [first] = [...faults].sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
  throw first === undefined || first.kind === 'missing'
    ? new Fault('missing', 'Nobody knows an address of this person at the domain, and none of the usual ones could be confirmed.')
    : first
}

type Seen = Pick<FindInput, 'patterns' | 'shown'>

/** What a vendor and the site show of the domain; nothing where neither can be asked. */
async function seenAt<S>(domain: string, ctx: HandlerContext<S>): Promise<Seen> {
  const withinMs = Math.min(SITE_MS, Math.max(LEAST_MS, ctx.timeLeft() / 3))
  const [patterns, shown] = await Promise.all([
    ctx.has(domainPatterns) ? ctx.aside((side) => patternsKept(domain, side), { withinMs }) : null,
    ctx.aside((side) => shownBySite(domain, side), { withinMs }),
  ])
  return { patterns: patterns ?? [], shown: shown ?? [] }
}

async function patternsKept<S>(domain: string, ctx: HandlerContext<S>): Promise<string[]> {
  const options = { shape: domainPatterns.output, seconds: DAY_S, missingSeconds: DAY_S }
  return (await ctx.cache.get(['patterns', domain], options, (own) => own.call(domainPatterns, { domain }))).patterns
}
