/**
 * The label of the first host in a table. A pattern is a name including its subdomains (`example.net`), or a name in
 * which `*` matches characters without a dot; tables are short and hosts at most 255 characters.
 */
export function labelOf(hosts: readonly string[], table: readonly (readonly [string, string])[]): string | null {
  for (const host of hosts) {
    const found = table.find(([pattern]) => hostFits(host.toLowerCase().replace(/\.$/, ''), pattern))
    if (found !== undefined) return found[1]
  }
  return null
}

/** The labels of a pattern must be the last labels of the host. */
function hostFits(host: string, pattern: string): boolean {
  const wanted = pattern.split('.')
  const have = host.split('.').slice(-wanted.length)
  return have.length === wanted.length && wanted.every((label, place) => labelFits(have[place] ?? '', label))
}

function labelFits(label: string, pattern: string): boolean {
  const star = pattern.indexOf('*')
  if (star === -1) return label === pattern
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return label.length >= before.length + after.length && label.startsWith(before) && label.endsWith(after)
}
