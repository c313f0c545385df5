/** The fault of a value pasted with quotes or control characters, in words that follow its name, or null. */
export function pasteFault(text: string): string | null {
  const value = text.trim()
  if (/^(?:"[^]*"|'[^]*'|“[^]*”|‘[^]*’)$/.test(value)) return 'is in quotes, which would be part of it: write it without them'
  // Credentials may be the text of a file.
  if (/\p{Cc}/u.test(value) && !/^(?:\{|\[|-----BEGIN )/.test(value))
    return 'contains a line break or another control character: write it in one line'
  return null
}
