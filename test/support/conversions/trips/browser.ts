import { CHROMIUM } from '../../../../plugins/convert/pairs/chromium.js'
import { drawn, printed } from '../checks.js'
import { TEXTS, WORDS } from '../texts.js'
import type { Trip } from './types.js'

/** A page on sheets, and as a picture as wide as a window. */
export function webPages(): Trip[] {
  return (CHROMIUM.groups[0]?.to ?? []).map((to) => ({
    engine: 'chromium',
    data: TEXTS['html'] ?? '',
    steps: [{ from: 'html', to, check: to === 'pdf' ? printed(WORDS) : drawn({ width: 1280 }) }],
  }))
}
