import { Fault, type DnsAnswer, type DnsType, type Services } from '../../../../core/sdk/index.js'
import { attempt } from '../attempt.js'

/** The name servers' answer to one query. */
export interface Answered<T extends DnsType> extends DnsAnswer<T> {
  /** The queried name server refuses the name only when it validates: the zone's DNSSEC is invalid. */
  readonly bogus: boolean
}

/**
 * The answer to one query, or its Fault. When the name servers report a failure, the query is repeated without
 * validation (CD bit), which distinguishes a zone with invalid signatures from broken servers.
 */
export async function answerOrFault<T extends DnsType>(name: string, type: T, ctx: Services): Promise<Answered<T> | Fault> {
  const first = await attempt(() => ctx.net.query(name, type), ctx)
  if (!Fault.is(first)) return { ...first, bogus: false }
  if (first.obstacle !== 'server-failure') return first
  const unchecked = await attempt(() => ctx.net.query(name, type, { unchecked: true }), ctx)
  return Fault.is(unchecked) ? first : { ...unchecked, authenticated: false, bogus: true }
}

/** The answer to one query, or null when the name servers did not answer, or the name cannot be queried. */
export async function queryOrNull<T extends DnsType>(name: string, type: T, ctx: Services): Promise<Answered<T> | null> {
  const answer = await answerOrFault(name, type, ctx)
  return Fault.is(answer) ? null : answer
}

/** The same; throws the Fault of `unanswered` without an answer. */
export async function answerTo<T extends DnsType>(name: string, type: T, ctx: Services): Promise<Answered<T>> {
  const answer = await queryOrNull(name, type, ctx)
  if (answer === null) throw unanswered()
  return answer
}

/** The Fault for queries that the name servers did not answer. */
export function unanswered(message = 'The name servers did not answer.'): Fault {
  return new Fault('blocked', message, { unavailable: true })
}

/** TXT records of a name; null when the name servers did not answer. */
export async function textsOf(name: string, ctx: Services): Promise<readonly string[] | null> {
  const answer = await queryOrNull(name, 'TXT', ctx)
  return answer === null ? null : answer.records.map(({ data }) => data)
}

/** TXT records of a name with this prefix. Throws the Fault of `unanswered` without an answer. */
export async function textsLike(name: string, form: RegExp, ctx: Services): Promise<string[]> {
  const { records } = await answerTo(name, 'TXT', ctx)
  return records.map(({ data }) => data).filter((text) => form.test(text))
}
