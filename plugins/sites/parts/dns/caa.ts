import type { Services } from '../../../../core/sdk/index.js'
import type { DnsReport } from '../../shapes/dns.js'
import { queryOrNull, unanswered } from './records.js'

/**
 * The CAA records of a name: its own, else those of the nearest parent, up to the registrable domain (RFC 8659 3).
 * Throws a `blocked` Fault that is `unavailable` when the name servers did not answer.
 */
export async function caaOf(
  { domain, registrable }: { domain: string; registrable: string },
  ctx: Services,
): Promise<NonNullable<DnsReport['caa']>> {
  const answers = await Promise.all(namesUpTo(domain, registrable).map((name) => queryOrNull(name, 'CAA', ctx)))
  for (const answer of answers) {
    if (answer === null) throw unanswered()
    if (answer.records.length > 0)
      return answer.records.map(({ data: { flags, tag, value } }) => ({ flags, tag: tag.toLowerCase(), value }))
  }
  return []
}

const MOST_NAMES = 8

function namesUpTo(domain: string, registrable: string): string[] {
  const names = [domain]
  for (let name = domain; name !== registrable && name.includes('.') && names.length < MOST_NAMES; names.push(name))
    name = name.slice(name.indexOf('.') + 1)
  return names
}
