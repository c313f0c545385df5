import type { HandlerContext } from '../../../core/sdk/index.js'
import { mailHosts, mailHostsOf, type MailHosts } from './hosts-of.js'

const SECONDS = 300

/** The hosts that take mail for a domain, kept for five minutes. Throws the Faults of `mailHostsOf`. */
export function keptMailHosts<S>(domain: string, context: HandlerContext<S>): Promise<MailHosts> {
  return context.cache.get(['hosts', domain], { shape: mailHosts, seconds: SECONDS }, (own) => mailHostsOf(domain, own))
}
