import type { Answer } from 'dns-packet'
import { dnsServer, type DnsQuery, type DnsReply, type DnsServer } from './dns-server.js'

/**
 * Records by name in lower case and type; `*.example.com` matches every name below without its own records. The data
 * are those of the package dns-packet, such as `{ preference: 10, exchange: 'mx.example' }` for MX.
 */
export type Zones = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>

export interface ZoneOptions {
  /** Answers carry the AD bit. */
  readonly ad?: boolean
  /** Names whose queries are not answered. */
  readonly silent?: readonly string[]
  /** Names whose answers by UDP are truncated, so that clients query them by TCP. */
  readonly truncated?: readonly string[]
  /** Milliseconds before the answer, by name. */
  readonly delays?: Readonly<Record<string, number>>
  /** The answers in place of the records, an empty list for silence; undefined uses the records. */
  readonly instead?: (query: DnsQuery) => readonly DnsReply[] | DnsReply | undefined
}

/** A name server on loopback that answers from records; a name without records, and with none below it, is NXDOMAIN. */
export function zoneServer(zones: Zones, options: ZoneOptions = {}): Promise<DnsServer> {
  return dnsServer((query) => options.instead?.(query) ?? replyFrom(zones, options, query))
}

function replyFrom(
  zones: Zones,
  { ad, silent = [], truncated = [], delays = {} }: ZoneOptions,
  { name, type }: DnsQuery,
): readonly DnsReply[] {
  if (silent.includes(name)) return []
  const known = recordsBelow(zones, name)
  const exists = known !== undefined || Object.keys(zones).some((each) => each.endsWith(`.${name}`))
  const alias = type === 'CNAME' ? undefined : known?.CNAME?.[0]
  const answers = alias === undefined ? recordsOf(name, type, known?.[type]) : aliased(zones, { name, type, alias: alias as string })
  const delayMs = delays[name]
  return [
    {
      answers,
      ...(exists ? {} : { rcode: 3 }),
      ...(ad === undefined ? {} : { ad }),
      ...(truncated.includes(name) ? { truncated: true } : {}),
      ...(delayMs === undefined ? {} : { delayMs }),
    },
  ]
}

/** The records of a name, or those of the wildcard above it. */
function recordsBelow(zones: Zones, name: string): Zones[string] | undefined {
  if (Object.hasOwn(zones, name)) return zones[name]
  const above = name.split('.').map((_, place, labels) => `*.${labels.slice(place + 1).join('.')}`)
  const wildcard = above.find((each) => Object.hasOwn(zones, each))
  return wildcard === undefined ? undefined : zones[wildcard]
}

function aliased(zones: Zones, { name, type, alias }: { name: string; type: string; alias: string }): Answer[] {
  return [...recordsOf(name, 'CNAME', [alias]), ...recordsOf(alias, type, zones[alias]?.[type])]
}

function recordsOf(name: string, type: string, data: readonly unknown[] = []): Answer[] {
  return data.map((each) => ({ name, type, ttl: 300, data: each }) as Answer)
}

/** A name server whose answers come from a function. */
export interface NameServer extends Pick<DnsServer, 'host' | 'port' | 'address' | 'close'> {
  /** `TYPE name` of each query, in order. */
  readonly questions: string[]
}

/** A name server on loopback. `answer` returns records, null (unknown), `fails` (SERVFAIL) or undefined (silence). */
export async function nameServer(answer: (name: string, type: string) => Answer[] | null | 'fails' | undefined): Promise<NameServer> {
  const questions: string[] = []
  const server = await dnsServer(({ name, type }) => {
    questions.push(`${type} ${name}`)
    const answers = answer(name, type)
    if (answers === undefined) return []
    return answers === null ? { rcode: 3 } : answers === 'fails' ? { rcode: 2 } : { answers }
  })
  return { ...server, questions }
}
