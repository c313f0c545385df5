import type { HandlerContext } from '../../../../core/sdk/index.js'
import { sitesParts } from '../../contract.js'

const WITHIN_MS = 9_000
/** More would take longer than a call has. */
const MOST = 300

/** Labels below a domain that certificates name, shortest first; none unless a vendor for them is switched on. */
export async function knownLabels(site: { domain: string; registrable: string }, ctx: HandlerContext): Promise<string[]> {
  const input = { ...site, part: 'names' as const }
  if (!ctx.providers(sitesParts).some(({ serves }) => serves(input))) return []
  const found = await ctx.aside(async (side) => (await side.call(sitesParts, input)).names, { withinMs: WITHIN_MS, about: 'certificates' })
  const labels = [...(found ?? [])].sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
  if (labels.length > MOST) ctx.note(`certificates: Of ${String(labels.length)} names the ${String(MOST)} shortest were looked up.`)
  return labels.slice(0, MOST)
}
