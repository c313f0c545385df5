import { Fault, type DnsAnswer, type DnsType, type Services } from '../../../../core/sdk/index.js'
import { attempt } from '../attempt.js'

/** What the name servers said to one question. */
export interface Answered<T extends DnsType> extends DnsAnswer<T> {
  /** The name server that was asked refuses the name, and says this only when it does not validate: the zone's DNSSEC is wrong. */
  readonly bogus: boolean
}

/**
 * The answer to one question, or the Fault why there is none. Where the name servers say that they do not know, they are asked once more without
 * validation (CD bit), by which a zone with wrong signatures is distinguished from broken servers.
 */
export async function answerOrFault<T extends DnsType>(name: string, type: T, ctx: Services): Promise<Answered<T> | Fault> {
  const first = await attempt(() => ctx.net.query(name, type), ctx)
  if (!Fault.is(first)) return { ...first, bogus: false }
  if (first.obstacle !== 'server-failure') return first
  const unchecked = await attempt(() => ctx.net.query(name, type, { unchecked: true }), ctx)
  return Fault.is(unchecked) ? first : { ...unchecked, authenticated: false, bogus: true }
}

/** The answer to one question, or null when the name servers did not answer it, or when it is no name that can be asked for. */
export async function asked<T extends DnsType>(name: string, type: T, ctx: Services): Promise<Answered<T> | null> {
  const answer = await answerOrFault(name, type, ctx)
  return Fault.is(answer) ? null : answer
}

/** The same; throws the Fault of `unanswered` where there is no answer. */
export async function answerTo<T extends DnsType>(name: string, type: T, ctx: Services): Promise<Answered<T>> {
  const answer = await asked(name, type, ctx)
  if (answer === null) throw unanswered()
  return answer
}

/** The Fault for questions that the name servers did not answer. */
export function unanswered(message = 'The name servers did not answer.'): Fault {
  return new Fault('blocked', message, { unavailable: true })
}

/** Texts of a name; null when the name servers did not answer. */
export async function textsOf(name: string, ctx: Services): Promise<readonly string[] | null> {
  const answer = await asked(name, 'TXT', ctx)
  return answer === null ? null : answer.records.map(({ data }) => data)
}

/** Texts of a name that begin so. Throws the Fault of `unanswered` where there is no answer. */
export async function textsLike(name: string, form: RegExp, ctx: Services): Promise<string[]> {
  const { records } = await answerTo(name, 'TXT', ctx)
  return records.map(({ data }) => data).filter((text) => form.test(text))
}
