import { ROWS, type MailProvider } from './table.js'

export type { MailProvider } from './table.js'

interface Pattern {
  readonly test: RegExp
  /** Number of characters other than stars. */
  readonly weight: number
  readonly provider: MailProvider
}

const PATTERNS: readonly Pattern[] = ROWS.flatMap(([patterns, label, kind, id, habit]) =>
  patterns.split(' ').map((pattern) => ({
    test: new RegExp(`^${pattern.replace(/[.]/g, '\\.').replace(/\*/g, '[a-z0-9.-]*')}$`),
    weight: pattern.replaceAll('*', '').length,
    provider: { id: id ?? label.toLowerCase().replace(/[^a-z0-9]+/g, '-'), label, kind, habit: habit ?? null },
  })),
).sort((one, other) => other.weight - one.weight)
/** The least preferred hosts are ignored. */
const MOST_HOSTS = 20
const LONGEST_HOST = 253

/** The mail provider of these MX hosts, the preferred one first; null when unknown. A filter hides the actual mailbox provider. */
export function mailProviderOf(mxHosts: readonly string[]): MailProvider | null {
  for (const host of mxHosts.slice(0, MOST_HOSTS)) {
    const name = host.toLowerCase().replace(/\.$/, '')
    const found = name.length > LONGEST_HOST ? undefined : PATTERNS.find(({ test }) => test.test(name))
    if (found !== undefined) return found.provider
  }
  return null
}
