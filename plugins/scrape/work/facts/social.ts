const NETWORKS: Readonly<Record<string, string>> = {
  'twitter.com': 'x',
  'x.com': 'x',
  'facebook.com': 'facebook',
  'fb.com': 'facebook',
  'instagram.com': 'instagram',
  'linkedin.com': 'linkedin',
  'youtube.com': 'youtube',
  'tiktok.com': 'tiktok',
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'pinterest.com': 'pinterest',
  'threads.net': 'threads',
  'threads.com': 'threads',
  'bsky.app': 'bluesky',
  'reddit.com': 'reddit',
  'medium.com': 'medium',
  'vimeo.com': 'vimeo',
  'crunchbase.com': 'crunchbase',
  'xing.com': 'xing',
  't.me': 'telegram',
  'wa.me': 'whatsapp',
  'discord.gg': 'discord',
  'discord.com': 'discord',
  'twitch.tv': 'twitch',
  'wellfound.com': 'wellfound',
}
/** Links that share this page, or lead to the network itself. */
const SHARES =
  /^\/(?:sharer?|share\.php|sharearticle|sharing|cws|spi|send|tr|intent|dialog|plugins|hashtag|search|home|login|signup|policies|privacy|terms|legal|tos|about|explore|help|watch|embed|submit|pin\/create|features|pricing)(?:[/.?]|$)|\/share-?(?:article|offsite)/i

/** The network and the address of a profile, without query and fragment; null for any other link. */
export function profileOf(href: string): { network: string; url: string } | null {
  const url = new URL(href)
  const host = url.hostname.replace(/^(?:www|m|mobile|[a-z]{2}|[a-z]{2}-[a-z]{2})\./, '')
  const network = NETWORKS[host]
  if (network === undefined || url.pathname === '/' || SHARES.test(url.pathname)) return null
  return { network, url: `https://${url.hostname}${url.pathname.replace(/(?<!\/)\/+$/, '')}` }
}
