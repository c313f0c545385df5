const HOST = /^(?:(?:www|m|touch|mobile|[a-z]{2})\.)?linkedin\.com\.?$/
const MEMBER = /^\/(?:mwlite\/)?(?:in|pub)\/(?<slug>[^/]+)(?<rest>(?:\/.*)?)$/i
const COMPANY = /^\/(?:mwlite\/)?(?:company|school|showcase|organization|edu)(?:\/|$)/i
/** The three parts of a public profile's number, which in current addresses are at the end of the name in reverse order. */
const NUMBER = /^\/(?<high>[0-9a-f]{1,3})\/(?<middle>[0-9a-f]{1,3})\/(?<low>[0-9a-f]{1,3})(?:\/|$)/i
/** Control characters, spaces, invisible characters, and reserved characters of an address. */
const NO_NAME = /[\p{C}\p{Z}/\\?#%@:&=+<>"|]/u
const LONGEST = 200

/** Result of parsing a profile address: the profile's name in it, or its problem. */
type LinkedInReading = { readonly slug: string } | { readonly problem: string }

/**
 * Parses the address of a person's LinkedIn profile in any of its forms: with or without scheme, www, a country's or
 * a mobile host, /in/ or /pub/, query, fragment, further path, a percent-encoded name. The name is in lower case and
 * composed form. Nothing is ever fetched.
 */
export function readLinkedIn(address: string): LinkedInReading {
  const text = address.trim()
  if (/[\p{C}\p{Z}\\]/u.test(text))
    return { problem: 'must be the address of a LinkedIn profile, without spaces, line breaks or backslashes' }
  const [, scheme, authority = '', path = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/)?([^/?#]*)([^?#]*)/i.exec(text) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return { problem: 'must begin with https:// and be the address of a LinkedIn profile' }
  if (authority.includes('@')) return { problem: 'must not have a user name in front of the host' }
  if (authority.includes(':')) return { problem: 'must not have a port' }
  if (!HOST.test(authority.toLowerCase()))
    return { problem: 'must be the address of a person at linkedin.com, such as https://www.linkedin.com/in/first-last' }
  return atPath(path.replace(/\/{2,}/g, '/'))
}

/** The canonical address of a profile; null for any other address. */
export function canonicalLinkedIn(address: string): string | null {
  const reading = readLinkedIn(address)
  return 'slug' in reading ? addressOf(reading.slug) : null
}

/** Address of the profile with a name. */
export function addressOf(slug: string): string {
  return `https://www.linkedin.com/in/${encodeURIComponent(slug)}`
}

function atPath(path: string): LinkedInReading {
  if (COMPANY.test(path))
    return { problem: 'is the page of a company or school; companies.find looks those up, this needs a person (/in/…)' }
  const { slug: written = '', rest = '' } = MEMBER.exec(path)?.groups ?? {}
  if (written === '')
    return { problem: 'must lead to the public profile of a person: https://www.linkedin.com/in/ and the name at the end of their address' }
  const name = decoded(written)
  if (name === null || name === '' || name.length > LONGEST || NO_NAME.test(name) || /^\.+$/.test(name))
    return { problem: 'has no readable name of a person behind /in/' }
  if (/^\/pub\//i.test(path)) {
    if (name === 'dir') return { problem: 'is a list of people; give the address of one profile (/in/…)' }
    const { high = '', middle = '', low = '' } = NUMBER.exec(rest)?.groups ?? {}
    if (low !== '') return { slug: `${name}-${low.padStart(3, '0')}${middle.padStart(3, '0')}${high}`.toLowerCase() }
  }
  return { slug: name }
}

function decoded(written: string): string | null {
  try {
    return decodeURIComponent(written).normalize('NFC').toLowerCase()
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
