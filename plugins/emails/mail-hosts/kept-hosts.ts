import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { mailHosts, mailHostsOf, type MailHosts } from './hosts-of.js'

const SECONDS = 300

/** The mail hosts of a domain, cached for five minutes; the Fault of `mailHostsOf` when no name server answered, which is not cached. */
export async function keptMailHosts<S>(domain: string, context: HandlerContext<S>): Promise<MailHosts | Fault> {
  try {
    return await context.cache.get(['hosts', domain], { shape: mailHosts, seconds: SECONDS }, (own) => mailHostsOf(domain, own))
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    return error
  }
}
