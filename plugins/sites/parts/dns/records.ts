import { Fault, type DnsAnswer, type DnsType, type Services } from '../../../../core/sdk/index.js'

/** The answer to one question, or null when the name servers did not answer it, or when it is no name that can be asked for. */
export async function asked<T extends DnsType>(name: string, type: T, ctx: Services): Promise<DnsAnswer<T> | null> {
  try {
    return await ctx.net.query(name, type)
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    return null
  }
}

/** Values of one type; none when the name has none, and when the name servers did not answer. */
export async function valuesOf<T extends DnsType>(
  name: string,
  type: T,
  ctx: Services,
): Promise<DnsAnswer<T>['records'][number]['data'][]> {
  return (await asked(name, type, ctx))?.records.map(({ data }) => data) ?? []
}

/** Texts of a name; null when the name servers did not answer. */
export async function textsOf(name: string, ctx: Services): Promise<readonly string[] | null> {
  return (await asked(name, 'TXT', ctx))?.records.map(({ data }) => data) ?? null
}
