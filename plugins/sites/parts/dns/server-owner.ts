import { Fault, type Services } from '../../../../core/sdk/index.js'
import { sitesHosting } from '../../contract.js'
import { networkOf } from '../hosting/networks.js'
import { queryOrNull } from './records.js'

/** The operator of name servers within the domain itself, by the network of the first; null when unknown. */
export async function serverOwner(servers: readonly string[], ctx: Services): Promise<string | null> {
  const [first] = [...servers].sort()
  const ip = first === undefined ? undefined : (await queryOrNull(first, 'A', ctx))?.records[0]?.data
  if (ip === undefined) return null
  try {
    await ctx.assertPublic(`http://${ip}/`)
    const { asn, asn_org } = await ctx.call(sitesHosting, { ip })
    return (asn === null ? null : networkOf(asn)?.owner) ?? asn_org
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    return null
  }
}
