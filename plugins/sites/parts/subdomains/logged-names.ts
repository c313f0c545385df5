/** The used part of a log entry. */
interface LoggedRow {
  readonly common_name?: string | null
  readonly name_value?: string | null
  readonly result_count?: number | null
}

const LABELS = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/
const MOST = 1_000
const LONGEST = 253
/** The service silently stops there. */
const LIMIT = 10_000

/**
 * Labels below a domain in certificates, and whether the search was truncated. Names of other domains and wildcards
 * themselves are left out.
 */
export function loggedLabels(domain: string, rows: readonly LoggedRow[]): { labels: string[]; cut: boolean } {
  const labels = new Set<string>()
  let count = 0
  for (const { common_name, name_value, result_count } of rows) {
    count += result_count ?? 0
    for (const text of [...(name_value ?? '').split('\n'), common_name ?? '']) {
      const name = text.trim().toLowerCase().replace(/^\*\./, '').replace(/\.$/, '')
      const below = name.endsWith(`.${domain}`) && name.length <= LONGEST ? name.slice(0, -domain.length - 1) : ''
      if (LABELS.test(below)) labels.add(below)
    }
  }
  const sorted = [...labels].sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
  return { labels: sorted.slice(0, MOST), cut: count >= LIMIT || sorted.length > MOST }
}
