/**
 * The address a text is, or null. Used in place of URL.canParse, which on Node 20 refuses any address with letters such as ä once
 * it has been called often enough to be optimised.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** An address up to its fragment: what is sent to the server. */
export function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}

/** A text without its percent-encoding (RFC 3986 2.1); the text itself where that is damaged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
