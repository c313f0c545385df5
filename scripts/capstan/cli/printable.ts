/** A text from the gateway in one line without control characters, so that it cannot drive the terminal; at most `most` characters of it. */
export function printable(text: string, most = Infinity): string {
  return text.replace(/\p{C}+/gu, ' ').slice(0, most)
}
