import { LIMITS } from './limits.js'
import { parseUrl } from '../../../core/sdk/url.js'

/** The absolute form of an address in a page, or null when it is not allowed in a result. */
export function absolute(value: string | undefined, base: string, schemes: ReadonlySet<string>): string | null {
  if (value === undefined || value === '' || value.length > LIMITS.attribute) return null
  const text = value.trim()
  if (text === '' || parseUrl(text, base) === null) return null
  const url = new URL(text, base)
  return schemes.has(url.protocol) && url.username === '' && url.password === '' ? url.href : null
}

export const WEB = new Set(['http:', 'https:'])
export const LINKS = new Set(['http:', 'https:', 'mailto:', 'tel:'])

const LAZY = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-url', 'data-image-src', 'data-hi-res-src']

/** The address of an image, also a lazy one; null for inline images and tracking pixels. */
export function imageSource(attributes: Readonly<Record<string, string>>, base: string): string | null {
  if (attributes['width'] === '1' || attributes['height'] === '1') return null
  const lazy = LAZY.map((name) => absolute(attributes[name], base, WEB)).find((url) => url !== null)
  const sets = largest(attributes['data-srcset'], base) ?? largest(attributes['srcset'], base)
  const plain = absolute(attributes['src'], base, WEB)
  return lazy ?? (plain === null || PLACEHOLDER.test(plain) ? (sets ?? plain) : plain)
}

const PLACEHOLDER = /(?:placeholder|blank|spacer|transparent|lazy[-_]?load|1x1)[^/]*\.(?:gif|png|svg)(?:\?|$)/i

/** The largest candidate of a srcset. */
function largest(set: string | undefined, base: string): string | null {
  if (set === undefined || set.length > LIMITS.attribute * 4) return null
  let best: string | null = null
  let size = -1
  for (const candidate of set.split(/,\s+/)) {
    const [address, descriptor] = candidate.trim().split(/\s+/)
    const url = absolute(address, base, WEB)
    const value = Number.parseFloat(descriptor ?? '1')
    if (url !== null && value > size) {
      best = url
      size = value
    }
  }
  return best
}
