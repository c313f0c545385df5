/**
 * Parses an address; null if it is invalid. Replaces URL.canParse, which on Node 20 refuses any address with letters
 * such as ä once it has been called often enough to be optimised.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
