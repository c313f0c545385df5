import { parseUrl } from '../../../core/sdk/index.js'
import { percentDecoded } from '../../_shared/address.js'
import { profileOf } from '../../scrape/contract.js'

const LONGEST = 500

/** The first profile of each network; addresses that are not a profile are left out, and a missing scheme is added. */
export function socialLinks(addresses: readonly (string | null)[]): Record<string, string> {
  const found = addresses.flatMap((address) => {
    const profile = profileAt(address)
    return profile === null ? [] : [profile]
  })
  return Object.fromEntries(found.reverse())
}

/** The account name in a profile address; null without one. */
export function handleOf(network: 'twitter' | 'linkedin' | 'instagram', address: string | undefined): string | null {
  const parts = (parseUrl(address ?? '')?.pathname ?? '').split('/').filter((part) => part !== '')
  const [first, second] = parts
  const name = network === 'linkedin' && second !== undefined ? second : first
  const handle = percentDecoded(name ?? '').replace(/^@/, '')
  return /^[\p{L}\p{M}\p{N}_.&-]{1,100}$/u.test(handle) ? handle : null
}

/** Links for sharing the page are not profiles of the company. */
function profileAt(address: string | null): readonly [string, string] | null {
  const text = (address ?? '').trim()
  if (text === '' || text.length > LONGEST) return null
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`)
  if (url === null || url.username !== '' || url.port !== '') return null
  const profile = profileOf(url.href)
  return profile === null ? null : [profile.network === 'x' ? 'twitter' : profile.network, profile.url]
}
