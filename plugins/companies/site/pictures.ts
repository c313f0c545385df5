import { parseUrl } from '../../../core/sdk/index.js'
import type { Home } from '../work/home.js'
import type { Manifest } from './manifest.js'
import type { Organization } from './organization.js'
import type { PageFacts } from './page-facts.js'

const MOST = 8

/** Addresses of logos and icons of a page, best first: its declared logo, then its largest icons; medium sizes are preferred. */
export function picturesOf(
  facts: Pick<PageFacts, 'url' | 'icons'>,
  {
    home,
    manifest,
    organization,
  }: { readonly home: Pick<Home, 'logos'>; readonly manifest: Manifest | null; readonly organization: Organization | null },
): { readonly logos: string[]; readonly icons: string[] } {
  const { url, icons } = facts
  const touch = icons.filter(({ kind }) => kind === 'apple-touch-icon').sort((one, other) => (other.size ?? 180) - (one.size ?? 180))
  const plain = icons.filter(({ kind }) => kind === 'icon')
  const vector = plain.filter(({ any_size: any }) => any)
  const sized = plain.filter(({ any_size: any }) => !any).sort((one, other) => (other.size ?? 16) - (one.size ?? 16))
  const large = [...vector, ...touch, ...sized.filter(({ size }) => (size ?? 0) >= 96)].map((icon) => icon.url)
  const named = [...(organization?.logos ?? []), ...home.logos]
  const tiles = icons.filter(({ kind }) => kind === 'tile').map((icon) => icon.url)
  return {
    logos: addresses([...named, ...(manifest?.icons.slice(0, 1) ?? []), ...large, ...tiles], url),
    icons: addresses(
      [
        ...vector.map((icon) => icon.url),
        ...touch.map((icon) => icon.url),
        ...sized.map((icon) => icon.url),
        ...(manifest?.icons ?? []),
        '/favicon.ico',
      ],
      url,
    ),
  }
}

function addresses(found: readonly string[], base: string): string[] {
  const all = found.flatMap((address) => {
    const url = parseUrl(address, base)
    return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= 2_000 ? [url.href] : []
  })
  return [...new Set(all)].slice(0, MOST)
}
