import type { HandlerContext } from '../../../../core/sdk/index.js'
import { sitesParts } from '../../contract.js'

const WITHIN_MS = 9_000
/** More would exceed the time of a call. */
const MOST = 300

/** Labels below a domain found in certificates, shortest first; empty unless a vendor for them is enabled. */
export async function knownLabels(site: { domain: string; registrable: string }, ctx: HandlerContext): Promise<string[]> {
  const input = { ...site, part: 'names' as const }
  if (!ctx.providers(sitesParts).some(({ serves }) => serves(input))) return []
  const found = await ctx.aside(async (side) => (await side.call(sitesParts, input)).names, { withinMs: WITHIN_MS, about: 'certificates' })
  const labels = [...(found ?? [])].sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
  if (labels.length > MOST) ctx.note(`certificates: Of ${String(labels.length)} names the ${String(MOST)} shortest were looked up.`)
  return labels.slice(0, MOST)
}
