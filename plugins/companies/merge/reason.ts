import { Fault, isDefinite, mostUseful } from '../../../core/sdk/index.js'
import type { Answers } from './answers.js'

/**
 * Why there is nothing to say of a domain, to be thrown: a `blocked` Fault for a website that points inside or refuses access; `missing` for a parked
 * domain, and when a vendor knows no company; else that with which the vendors failed, or the website did not answer. A website without a name, and an
 * encyclopedia without an entry, say nothing of the company: `missing` alone, and then `inconclusive`.
 */
export function reason(domain: string, { site, faults }: Pick<Answers, 'site' | 'faults'>): Fault {
  const { website, firmographics, brand } = faults
  if (site?.parked != null) return new Fault('missing', `No company is known behind ${domain}: ${site.parked}.`)
  if (website?.kind === 'blocked' && !website.unavailable) return website
  const why = site === null ? 'it has no website that answers' : 'its website does not name one'
  const nothing = new Fault('missing', `No company is known behind ${domain}, and ${why}.`, { inconclusive: true })
  // A vendor without pictures may know the company; what the website failed with is looked at apart.
  const vendors = [firmographics, brand?.kind === 'missing' ? undefined : brand]
  const fault = mostUseful([...vendors.flatMap((each) => (each === undefined || each.kind === 'blocked' ? [] : [each])), nothing])
  if (isDefinite(fault)) return new Fault('missing', nothing.message, { cause: fault })
  if (fault.kind !== 'missing') return fault
  return website?.unavailable === true && website.obstacle !== 'refused' ? website : nothing
}
