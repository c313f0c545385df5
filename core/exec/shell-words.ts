/** A text as one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Text for `eval`: exports the variables, and makes the words "$@". */
export function wordsText(words: readonly string[], env: Readonly<Record<string, string>>): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}\n`)
  return `${exports.join('')}set -- ${words.map(quote).join(' ')}`
}
