/** What was pasted with a value and is no part of it, in words that follow the value's name; null where there is nothing of the kind. */
export function pasteFault(text: string): string | null {
  const value = text.trim()
  if (/^(?:"[^]*"|'[^]*'|“[^]*”|‘[^]*’)$/.test(value)) return 'stands in quotes that would be part of it: write it without'
  // Credentials that are a file are given as its text.
  if (/\p{Cc}/u.test(value) && !/^(?:\{|\[|-----BEGIN )/.test(value))
    return 'holds a line break or another control character: write it in one line'
  return null
}
