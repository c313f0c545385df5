/** Characters up to which a text is left in one piece. */
export const LONG = 64 * 1024

/**
 * A text in pieces of LONG characters or a little more; each but the first begins with a match of `border`. For replacements that match often:
 * in a text of megabytes all at once they take some 90 bytes a match until the result is read.
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
