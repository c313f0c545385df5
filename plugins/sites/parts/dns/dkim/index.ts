import type { DnsAnswer, Services } from '../../../../../core/sdk/index.js'
import type { Dkim } from '../../../shapes/dns.js'
import { queryOrNull, unanswered } from '../records.js'
import { unlikelyLabels } from '../../subdomains/wildcard.js'
import { isDkim, parseDkim } from './parse.js'
import { selectors } from './selectors.js'

/** Selectors queried in parallel; the other queries of the domain run in between. */
const AT_ONCE = 12

/**
 * Keys of the usual selectors, in list order, including revoked ones. A wildcard text is ignored. Throws a `blocked`
 * Fault that is `unavailable` when none was found and the name servers did not answer for all selectors.
 */
export async function dkimOf(domain: string, depth: 'short' | 'full', ctx: Services): Promise<Dkim[]> {
  const at = (selector: string) => queryOrNull(`${selector}._domainkey.${domain}`, 'TXT', ctx)
  const wanted = selectors(depth)
  const [answers, unlikely] = await Promise.all([inTurns(wanted, at), at(unlikelyLabels(domain)[0])])
  const everywhere = textsOf(unlikely)
  const keys = wanted.flatMap((selector, place) => {
    const answer = answers[place] ?? null
    const texts = textsOf(answer).filter((text) => isDkim(text) && !everywhere.includes(text))
    const record = texts.find((text) => !parseDkim(text).revoked) ?? texts[0]
    return record === undefined ? [] : [{ selector, ...parseDkim(record), alias: answer?.aliases[0] ?? null }]
  })
  const silent = answers.filter((answer) => answer === null).length
  if (keys.every(({ revoked }) => revoked) && silent > 0)
    throw unanswered(`The name servers did not answer for ${String(silent)} of ${String(wanted.length)} selectors.`)
  return keys
}

function textsOf(answer: DnsAnswer<'TXT'> | null): string[] {
  return answer?.records.map(({ data }) => data) ?? []
}

async function inTurns<T>(names: readonly string[], ask: (name: string) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  const left = names.entries()
  const worker = async (): Promise<void> => {
    for (const [place, name] of left) results[place] = await ask(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}
