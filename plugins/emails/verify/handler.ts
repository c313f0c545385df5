import { Fault, handle, type HandlerContext } from '../../../core/sdk/index.js'
import { parseAddress, type Address } from '../address/parse.js'
import { disposableDomains, isDisposable } from '../lists/disposable.js'
import { mailHosts, mailHostsOf, type MailHosts } from '../mail-hosts/hosts-of.js'
import { settings } from '../settings.js'
import { domainAge } from './age.js'
import { emailsVerify, verifyVendors, type Verdict, type Verification, type VerifyInput } from './contract.js'
import { bare, completed, factsOf, type Said } from './facts.js'
import { kept } from './kept.js'

/** For all that is asked of name and mail servers: five seconds, less what the rest of the call takes. */
const LIMIT_MS = 4_800
const NAMES_MS = 2_000
const AGE_MS = 2_500
/** How long it is kept who takes mail for a domain. */
const HOSTS_S = 300

/** Syntax, name servers and lists first; vendors are asked only about mailboxes that can exist. */
export const emailsVerifyHandler = handle(
  emailsVerify,
  async ({ email }, ctx) => {
    const address = parseAddress(email)
    if ('why' in address) {
      ctx.note(`The syntax is wrong: ${address.why}.`)
      return verification(email, bare({ status: 'invalid', sub_status: 'failed_syntax_check' }))
    }
    const age = (): Promise<string | null> => ctx.aside((side) => domainAge(address.domain, side), { withinMs: AGE_MS })
    const verdict = (): Promise<Verdict> => kept(address.address, ctx, (own) => verified(address, own))
    // Some vendors know the age: the registry is asked meanwhile only where there is none beside the mail servers.
    const alone = ctx.providers(verifyVendors).length < 2
    const [found, early] = alone ? await Promise.all([verdict(), age()]) : [await verdict(), null]
    for (const note of found.notes) ctx.note(note)
    const days = found.domain_age_days ?? (alone ? early : await age())
    return verification(email, { ...found, domain_age_days: days })
  },
  { settings },
)

function verification(email: string, found: Verdict): Verification {
  const { status, sub_status, is_free_email, did_you_mean, domain_age_days, smtp_provider, mx_found, mx_record } = found
  return { email, status, sub_status, is_free_email, did_you_mean, domain_age_days, smtp_provider, mx_found, mx_record }
}

async function verified<S>(address: Address, ctx: HandlerContext<S>): Promise<Verdict> {
  const began = performance.now()
  const mail = await ctx.aside((side) => hostsKept(address.domain, side), { withinMs: NAMES_MS })
  const facts = factsOf(address, mail)
  const said = withoutAsking(mail, {
    mistyped: facts.did_you_mean !== null,
    disposable: isDisposable(address.domain, await ctx.use(disposableDomains)),
  })
  if (said !== null) return completed(bare(said), facts)
  const left = Math.max(0, Math.round(LIMIT_MS - (performance.now() - began)))
  return completed(await asked({ ...address, hosts: mail?.hosts ?? [], left_ms: left }, ctx), facts)
}

function hostsKept<S>(domain: string, ctx: HandlerContext<S>): Promise<MailHosts> {
  return ctx.cache.get(['hosts', domain], { shape: mailHosts, seconds: HOSTS_S }, (own) => mailHostsOf(domain, own))
}

/** What is certain without asking about the mailbox. */
function withoutAsking(mail: MailHosts | null, { mistyped, disposable }: { mistyped: boolean; disposable: boolean }): Said | null {
  if (mail?.state === 'none') return { status: 'invalid', sub_status: mistyped ? 'possible_typo' : 'no_dns_entries' }
  if (mail?.state === 'null-mx') return { status: 'invalid', sub_status: 'does_not_accept_mail' }
  return disposable ? { status: 'do_not_mail', sub_status: 'disposable' } : null
}

/** Asks the vendors one after the other until one knows; that none could tell is an answer, that none answered is a Fault. */
async function asked<S>(input: VerifyInput, ctx: HandlerContext<S>): Promise<Verdict> {
  const vendors = ctx.providers(verifyVendors).filter((vendor) => vendor.serves(input))
  const faults: Fault[] = []
  let unsure: Verdict | null = null
  for (const { id } of vendors) {
    try {
      const found = await ctx.call(verifyVendors, input, { only: id })
      if (found.status !== 'unknown') return found
      unsure ??= found
    } catch (error) {
      if (!Fault.is(error) || ctx.signal.aborted || (error.kind === 'invalid' && error.status === undefined)) throw error
      faults.push(error)
    }
  }
  if (unsure !== null) return unsure
  if (faults.length > 0) throw mostUseful(faults)
  return input.hosts.length === 0
    ? bare({ status: 'unknown', sub_status: 'mail_server_temporary_error' }, ['The name servers of the domain did not answer.'])
    : await ctx.call(verifyVendors, input)
}

/** What the caller can do something about comes first. */
function mostUseful(faults: readonly Fault[]): Fault {
  const kinds = ['busy', 'missing', 'blocked', 'quota', 'credentials', 'broken', 'invalid']
  const [first] = [...faults].sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
  return first ?? new Fault('busy', 'No vendor answered in time.')
}
