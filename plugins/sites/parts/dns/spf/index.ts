import type { Services } from '../../../../../core/sdk/index.js'
import type { Spf } from '../../../shapes/dns.js'
import { queryOrNull, textsOf } from '../records.js'
import { evaluateSpf } from './evaluate.js'

/** SPF of a name with these TXT records, including all references; null for a name without a record. */
export async function spfOf(domain: string, texts: readonly string[], ctx: Services): Promise<Spf | null> {
  return await evaluateSpf(domain, texts, {
    txt: (name) => textsOf(name, ctx),
    mx: async (name) => (await queryOrNull(name, 'MX', ctx))?.records.map(({ data }) => data.exchange) ?? null,
    hasAddress: async (name) => {
      const four = await queryOrNull(name, 'A', ctx)
      if (four === null || four.records.length > 0) return four === null ? null : true
      if (four.status === 'NXDOMAIN') return false
      const six = await queryOrNull(name, 'AAAA', ctx)
      return six === null ? null : six.records.length > 0
    },
  })
}
