/** A text from the gateway in one line without control characters, so that it cannot drive the terminal; at most `most` characters. */
export function printable(text: string, most: number): string {
  return text.replace(/\p{C}+/gu, ' ').slice(0, most)
}
