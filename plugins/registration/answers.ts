import type { Registration } from './contract.js'
import { emptyRecord, type RegistrationRecord } from './record.js'

/** The answering server, and further notes. */
interface Source {
  readonly domain: string
  readonly source: 'rdap' | 'whois'
  readonly server: string
  readonly raw: string | null
  readonly notes: readonly string[]
}

const MOST_RAW = 65_536

/** The answer for a registered name. */
export function registered(record: RegistrationRecord, source: Source): Registration {
  return { ...about(source), registered: true, ...record }
}

/** The answer for an unregistered name; `reserved` when the registry does not assign it. */
export function unregistered(source: Source, { reserved = false } = {}): Registration {
  return { ...about(source), registered: false, ...emptyRecord(), status: reserved ? ['reserved'] : [] }
}

function about({ domain, source, server, raw, notes }: Source): Pick<Registration, 'domain' | 'source' | 'server' | 'raw' | 'notes'> {
  return { domain, source, server, raw: raw === null ? null : raw.slice(0, MOST_RAW), notes: [...notes] }
}
