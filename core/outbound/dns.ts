import type { Resolver } from 'node:dns/promises'
import type { Cancel } from '../runtime/cancel.js'
import { Fault } from '../sdk/index.js'
import { RequestStopped } from './exchange.js'
import type { NameServers } from './name-servers.js'
import { codeOf } from '../problems/own-shortage.js'
import { nameFault } from './resolver.js'

type RecordLookup = (resolver: Resolver, name: string) => Promise<unknown[]>

/** Record types that can be queried, and the form of their answers: text, or the objects of node:dns. TXT chunks are joined. */
const LOOKUPS = new Map<string, RecordLookup>([
  ['A', (resolver, name) => resolver.resolve4(name)],
  ['AAAA', (resolver, name) => resolver.resolve6(name)],
  ['CAA', (resolver, name) => resolver.resolveCaa(name)],
  ['CNAME', (resolver, name) => resolver.resolveCname(name)],
  ['MX', (resolver, name) => resolver.resolveMx(name)],
  ['NAPTR', (resolver, name) => resolver.resolveNaptr(name)],
  ['NS', (resolver, name) => resolver.resolveNs(name)],
  ['PTR', (resolver, name) => resolver.resolvePtr(name)],
  ['SOA', async (resolver, name) => [await resolver.resolveSoa(name)]],
  ['SRV', (resolver, name) => resolver.resolveSrv(name)],
  ['TXT', async (resolver, name) => (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''))],
])
/** Longest time of a query, in milliseconds. */
const RECORDS_MS = 6_000
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i

/**
 * Queries records. Rejects with a Fault: `missing` for an unknown name, `blocked` and `unavailable` when there was no answer, caused
 * by EAI_AGAIN when no name server responds at all.
 */
export async function query(servers: NameServers, name: string, type: string, cancel: Cancel): Promise<unknown[]> {
  const records = LOOKUPS.get(type.toUpperCase())
  if (records === undefined)
    throw new Fault('broken', `records of type ${type} cannot be queried`, { internal: `known: ${[...LOOKUPS.keys()].join(', ')}` })
  const plain = plainName(name)
  const resolver = servers.open(RECORDS_MS)
  try {
    return await unlessCancelled(
      servers.health.watch(() => records(resolver, plain)),
      cancel,
    )
  } catch (error) {
    if (codeOf(error) === 'ENODATA') return []
    if (error instanceof RequestStopped) throw error
    throw nameFault(error, { name: plain, unanswered: 'the name server did not answer' })
  } finally {
    resolver.cancel()
  }
}

/** A name as it is queried, without the trailing dot. Throws Fault `missing` for an invalid one. */
export function plainName(name: string): string {
  const plain = name.replace(/\.$/, '')
  if (!NAME.test(plain)) throw new Fault('missing', 'the host name is not valid')
  return plain
}

/** The work's outcome, or RequestStopped as soon as it is cancelled; the work's later outcome is then ignored. */
export function unlessCancelled<T>(work: Promise<T>, cancel: Cancel): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = cancel.onCancel((reason) => reject(new RequestStopped(reason)))
    void work.then(resolve, reject).finally(forget)
  })
}
