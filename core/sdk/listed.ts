/** The entries of a list that may be given as one string with commas: trimmed, without empty and repeated ones. */
export function listed(given: string | readonly string[]): string[] {
  const entries = typeof given === 'string' ? given.split(',') : given
  return [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ''))]
}
