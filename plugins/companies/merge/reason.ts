import { Fault } from '../../../core/sdk/index.js'
import type { Answers } from './answers.js'

/**
 * Why there is nothing to say of a domain: a `blocked` Fault for a website that points inside or refuses access, `missing` when anybody answered that
 * there is nothing, and otherwise that with which those who might know the company failed. To be thrown.
 */
export function reason(domain: string, { site, faults }: Pick<Answers, 'site' | 'faults'>): Fault {
  const { website, firmographics, brand } = faults
  if (site?.parked != null) return missing(domain, `: ${site.parked}`)
  if (site !== null) return missing(domain, ', and its website does not name one')
  if (website?.kind === 'blocked' && !website.unavailable) return website
  const all = [firmographics, brand, website].filter((fault) => fault !== undefined)
  const failed = all.find(({ kind, unavailable }) => kind !== 'blocked' || !unavailable)
  const known = all.some(({ kind }) => kind === 'missing')
  return known || failed === undefined ? missing(domain, ', and it has no website that answers') : failed
}

function missing(domain: string, why: string): Fault {
  return new Fault('missing', `No company is known behind ${domain}${why}.`)
}
