import type { Services } from '../../../../core/sdk/index.js'
import { valuesOf } from './records.js'

/** The SPF record of a name; null when it has none. */
export async function spfRecord(domain: string, ctx: Services): Promise<string | null> {
  return (await valuesOf(domain, 'TXT', ctx)).find((text) => /^v=spf1(?: |$)/i.test(text)) ?? null
}
