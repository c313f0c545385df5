import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { parseAddress, type Address } from '../address/parse.js'
import { disposableDomains, isDisposable } from '../lists/disposable.js'
import type { MailHosts } from '../mail-hosts/hosts-of.js'
import { keptMailHosts } from '../mail-hosts/kept-hosts.js'
import { domainAge } from './age.js'
import { AGE_MS, askVendors } from './ask-vendors.js'
import { verifyVendors, type Verdict, type Verification } from './contract.js'
import { completed, factsOf } from './facts.js'
import { verdictOf, type Finding } from './finding.js'
import { kept } from './kept.js'

/** Time for name and mail servers: five seconds, less that of the rest of the call. */
const LIMIT_MS = 4_800

/** Syntax, name servers and lists first; vendors are called only for mailboxes that can exist. */
export async function verifyAddress<S>(email: string, ctx: HandlerContext<S>): Promise<Verification> {
  const address = parseAddress(email)
  if ('why' in address) {
    ctx.note(`The syntax is wrong: ${address.why}.`)
    return verification(email, verdictOf({ status: 'invalid', sub_status: 'failed_syntax_check' }))
  }
  const age = (): Promise<string | null> => ctx.aside((side) => domainAge(address.domain, side), { withinMs: AGE_MS })
  const verdict = (): Promise<Verdict> => kept(address.address, ctx, (own) => verified(address, own))
  // Some vendors know the age: the registry is queried in parallel only when there are none beside the mail servers.
  const single = ctx.providers(verifyVendors).length < 2
  const [found, early] = single ? await Promise.all([verdict(), age()]) : [await verdict(), null]
  for (const note of found.notes) ctx.note(note)
  const days = found.domain_age_days ?? (single ? early : await age())
  return verification(email, { ...found, domain_age_days: days })
}

function verification(email: string, found: Verdict): Verification {
  const { status, sub_status, is_free_email, did_you_mean, domain_age_days, smtp_provider, mx_found, mx_record } = found
  return { email, status, sub_status, is_free_email, did_you_mean, domain_age_days, smtp_provider, mx_found, mx_record }
}

async function verified<S>(address: Address, ctx: HandlerContext<S>): Promise<Verdict> {
  const began = performance.now()
  const hosts = await keptMailHosts(address.domain, ctx)
  const [mail, unresolved] = Fault.is(hosts) ? [null, hosts] : [hosts, null]
  const facts = factsOf(address, mail)
  const certain = withoutAsking(mail, {
    mistyped: facts.did_you_mean !== null,
    disposable: isDisposable(address.domain, await ctx.use(disposableDomains)),
  })
  if (certain !== null) return completed(verdictOf(certain), facts)
  const left = Math.max(0, Math.round(LIMIT_MS - (performance.now() - began)))
  return completed(await askVendors({ ...address, hosts: mail?.hosts ?? [], left_ms: left }, unresolved, ctx), facts)
}

/** A result that is certain without checking the mailbox. */
function withoutAsking(mail: MailHosts | null, { mistyped, disposable }: { mistyped: boolean; disposable: boolean }): Finding | null {
  if (mail?.state === 'none') return { status: 'invalid', sub_status: mistyped ? 'possible_typo' : 'no_dns_entries' }
  if (mail?.state === 'null-mx') return { status: 'invalid', sub_status: 'does_not_accept_mail' }
  return disposable ? { status: 'do_not_mail', sub_status: 'disposable' } : null
}
