import { Fault, type Services } from '../../../core/sdk/index.js'
import { readDomainName, registrationFind } from '../../registration/contract.js'
import type { Whois } from '../shapes/whois.js'

/**
 * Registration data of a registrable domain, by RDAP or WHOIS. Throws a `missing` Fault for an unregistered name,
 * which is `final`, for a suffix, and when no vendor has data.
 */
export async function whoisOf(registrable: string, ctx: Services): Promise<Whois> {
  if ('wrong' in readDomainName(registrable))
    throw new Fault('missing', `${registrable} is a suffix below which names are registered: it has no registration.`)
  const found = await ctx.call(registrationFind, { domain: registrable, contacts: false })
  for (const note of found.notes) ctx.note(`whois: ${note}`)
  if (!found.registered) throw new Fault('missing', `${registrable} is not registered.`, { final: true })
  return {
    created: found.created,
    expires: found.expires,
    updated: found.updated,
    registrar: found.registrar?.name ?? null,
    nameservers: found.name_servers,
    status: found.status,
    dnssec: found.dnssec,
    source: found.source,
  }
}
