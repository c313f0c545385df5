import type { Registration } from './contract.js'
import { emptyRecord, type RegistrationRecord } from './record.js'

/** Who spoke for the registry, and what else is to be said. */
interface Source {
  readonly domain: string
  readonly source: 'rdap' | 'whois'
  readonly server: string
  readonly raw: string | null
  readonly notes: readonly string[]
}

const MOST_RAW = 65_536

/** The answer for a name that is registered. */
export function registered(record: RegistrationRecord, source: Source): Registration {
  return { ...about(source), registered: true, ...record }
}

/** The answer for a name that is not; `reserved` when the registry gives it to nobody. */
export function unregistered(source: Source, { reserved = false } = {}): Registration {
  return { ...about(source), registered: false, ...emptyRecord(), status: reserved ? ['reserved'] : [] }
}

function about({ domain, source, server, raw, notes }: Source): Pick<Registration, 'domain' | 'source' | 'server' | 'raw' | 'notes'> {
  return { domain, source, server, raw: raw === null ? null : raw.slice(0, MOST_RAW), notes: [...notes] }
}
