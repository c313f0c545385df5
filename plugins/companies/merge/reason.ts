import { Fault, isDefinite, mostUseful } from '../../../core/sdk/index.js'
import type { Answers } from './answers.js'

/**
 * The reason for an empty result, to be thrown: a `blocked` Fault for a website that resolves to an internal address
 * or refuses access; `missing` for a parked domain, and when a vendor does not know the company; otherwise the Fault
 * of the vendors or of the unreachable website. A website without a name, and an encyclopedia without an entry, prove
 * nothing about the company: they are only `missing`, and `inconclusive`.
 */
export function reason(domain: string, { site, faults }: Pick<Answers, 'site' | 'faults'>): Fault {
  const { website, firmographics, brand } = faults
  if (site?.parked != null) return new Fault('missing', `No company was found for ${domain}: ${site.parked}.`)
  if (website?.kind === 'blocked' && !website.unavailable) return website
  const why = site === null ? 'it has no website that answers' : 'its website does not name one'
  const nothing = new Fault('missing', `No company was found for ${domain}, and ${why}.`, { inconclusive: true })
  // A vendor without pictures may know the company; the Fault of the website is handled separately.
  const vendors = [firmographics, brand?.kind === 'missing' ? undefined : brand]
  const fault = mostUseful([...vendors.flatMap((each) => (each === undefined || each.kind === 'blocked' ? [] : [each])), nothing])
  if (isDefinite(fault)) return new Fault('missing', nothing.message, { cause: fault })
  if (fault.kind !== 'missing') return fault
  return website?.unavailable === true && website.obstacle !== 'refused' ? website : nothing
}
