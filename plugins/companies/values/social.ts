import { parseUrl } from '../../../core/sdk/index.js'

/** Networks by the domain of their profiles. */
const NETWORKS: Readonly<Record<string, string>> = {
  'twitter.com': 'twitter',
  'x.com': 'twitter',
  'linkedin.com': 'linkedin',
  'instagram.com': 'instagram',
  'facebook.com': 'facebook',
  'fb.com': 'facebook',
  'youtube.com': 'youtube',
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'tiktok.com': 'tiktok',
  'pinterest.com': 'pinterest',
  'threads.net': 'threads',
  'threads.com': 'threads',
  'bsky.app': 'bluesky',
  'crunchbase.com': 'crunchbase',
  'xing.com': 'xing',
  'medium.com': 'medium',
  'reddit.com': 'reddit',
  'vimeo.com': 'vimeo',
  'twitch.tv': 'twitch',
  't.me': 'telegram',
  'discord.gg': 'discord',
  'wellfound.com': 'wellfound',
}
const LONGEST = 500

/** Profiles by network, the first of each; what is no address of a profile there is left out, and an address without a scheme is completed. */
export function socialLinks(addresses: readonly (string | null)[]): Record<string, string> {
  const found = addresses.flatMap((address) => {
    const profile = profileAt(address)
    return profile === null ? [] : [profile]
  })
  return Object.fromEntries(found.reverse())
}

/** The name in the address of a profile; null where it has none. */
export function handleOf(network: 'twitter' | 'linkedin' | 'instagram', address: string | undefined): string | null {
  const parts = (parseUrl(address ?? '')?.pathname ?? '').split('/').filter((part) => part !== '')
  const [first, second] = parts
  const name = network === 'linkedin' && second !== undefined ? second : first
  const handle = decoded(name ?? '').replace(/^@/, '')
  return /^[\p{L}\p{M}\p{N}_.&-]{1,100}$/u.test(handle) ? handle : null
}

function profileAt(address: string | null): readonly [string, string] | null {
  const text = (address ?? '').trim()
  if (text === '' || text.length > LONGEST) return null
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`)
  if (url === null || url.username !== '' || url.port !== '') return null
  const host = url.hostname.replace(/^(?:www|m|mobile|[a-z]{2}|[a-z]{2}-[a-z]{2})\./, '')
  const network = Object.hasOwn(NETWORKS, host) ? NETWORKS[host] : undefined
  if (network === undefined || url.pathname.length < 2) return null
  return [network, `https://${url.hostname}${url.pathname.replace(/\/+$/, '')}`]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
