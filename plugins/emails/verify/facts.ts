import type { Address } from '../address/parse.js'
import { meantDomain } from '../address/suggest.js'
import { isFreeMail } from '../lists/free-mail.js'
import type { MailHosts } from '../mail-hosts/hosts-of.js'
import { mailProviderOf } from '../mail-hosts/provider-of.js'
import type { Verdict } from './contract.js'

/** Facts from the address and the name servers alone; `mail` is null when no name server answered. */
export function factsOf({ local, domain }: Address, mail: MailHosts | null): Omit<Verdict, 'status' | 'sub_status' | 'notes'> {
  const meant = meantDomain(domain, { mayExist: mail === null || mail.state === 'mx' })
  return {
    is_free_email: isFreeMail(domain),
    did_you_mean: meant === null ? null : `${local}@${meant}`,
    domain_age_days: null,
    smtp_provider: mail === null ? null : (mailProviderOf(mail.hosts)?.id ?? null),
    mx_found: mail === null ? null : mail.state === 'mx' || mail.state === 'null-mx' ? 'true' : 'false',
    mx_record: mail?.state === 'mx' ? (mail.hosts[0] ?? null) : null,
  }
}

/** A verdict with missing facts filled in. */
export function completed(found: Verdict, facts: ReturnType<typeof factsOf>): Verdict {
  return {
    ...found,
    is_free_email: found.is_free_email ?? facts.is_free_email,
    did_you_mean: found.did_you_mean ?? facts.did_you_mean,
    domain_age_days: found.domain_age_days ?? facts.domain_age_days,
    smtp_provider: found.smtp_provider ?? facts.smtp_provider,
    mx_found: found.mx_found ?? facts.mx_found,
    mx_record: found.mx_record ?? facts.mx_record,
  }
}
