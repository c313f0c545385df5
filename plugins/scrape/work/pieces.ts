/** Maximum characters of a text that is not split. */
export const LONG = 64 * 1024

/**
 * Splits a text into pieces of LONG characters or slightly more; each but the first starts with a match of `border`.
 * For replacements with many matches: on megabytes of text at once they need about 90 bytes per match until the
 * result is read.
 */
export function pieces(text: string, border: RegExp): string[] {
  const found: string[] = []
  let from = 0
  while (text.length - from > LONG) {
    const size = text.slice(from + LONG).search(border)
    if (size < 0) break
    found.push(text.slice(from, from + LONG + size))
    from += LONG + size
  }
  found.push(text.slice(from))
  return found
}
