import type { Services } from '../../../../core/sdk/index.js'
import { valuesOf } from './records.js'

/** The ten that answer most often. */
const COMMON = ['google', 'selector1', 'selector2', 'default', 'dkim', 'mail', 'k1', 's1', 's2', 'mandrill']
const PREVIEW = 80

/** Usual selectors that have a key, in the order they were asked. */
export async function dkimSelectors(domain: string, ctx: Services): Promise<{ selector: string; preview: string }[]> {
  const records = await Promise.all(COMMON.map((selector) => valuesOf(`${selector}._domainkey.${domain}`, 'TXT', ctx)))
  return COMMON.flatMap((selector, place) => {
    const key = records[place]?.find((text) => /(?:^|;)\s*p\s*=\s*[^\s;]/.test(text))
    return key === undefined ? [] : [{ selector, preview: key.slice(0, PREVIEW) }]
  })
}
