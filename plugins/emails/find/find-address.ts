import { Fault, type HandlerContext, type Static } from '../../../core/sdk/index.js'
import { isRoleAccount } from '../address/role.js'
import { isFreeMail } from '../lists/free-mail.js'
import { keptMailHosts } from '../mail-hosts/kept-hosts.js'
import { askVendors, type Question } from './ask-vendors.js'
import type { emailsFind, FindAnswer, FoundAddress } from './contract.js'
import { kept, type SearchResult } from './kept.js'

/** Calls the vendors in order until one is certain; the patterns get the results of the others and of the site. */
export async function findAddress<S>(input: Static<typeof emailsFind.input>, ctx: HandlerContext<S>): Promise<FindAnswer> {
  const { first_name, last_name, domain, company } = input
  const question = { first_name, last_name, domain, company: company ?? null }
  const key = [domain, first_name, last_name, question.company ?? ''].map((part) => part.toLowerCase())
  const found = await kept(key, ctx, (own) => search(question, own))
  for (const note of found.notes) ctx.note(note)
  return answer(question, found)
}

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

async function search<S>(question: Question, ctx: HandlerContext<S>): Promise<SearchResult> {
  const mail = await keptMailHosts(question.domain, ctx)
  if (!Fault.is(mail) && (mail.state === 'none' || mail.state === 'null-mx'))
    throw new Fault('missing', 'The domain accepts no mail: it has no addresses.')
  return await askVendors(question, mail, ctx)
}
