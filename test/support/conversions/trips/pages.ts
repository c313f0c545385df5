import { DEVICES } from '../../../../plugins/convert/engines/ghostscript/devices.js'
import { POPPLER } from '../../../../plugins/convert/pairs/poppler.js'
import { drawn, printed, says, type Check } from '../checks.js'
import { pdf } from '../pdf.js'
import { TEXTS } from '../texts.js'
import type { Trip } from './types.js'

const WORDS = 'Words of a sample'
const PICTURES = ['png', 'jpeg', 'tiff']
const VECTORS = ['svg', 'ps', 'eps', 'ppm', 'pxl']

/** A PDF of one page into everything; PostScript too. */
export function pages(): Trip[] {
  const check = (to: string): { check?: Check } => {
    if (to === 'pdf') return { check: printed(WORDS) }
    if (PICTURES.includes(to)) return { check: drawn({}) }
    return VECTORS.includes(to) ? {} : { check: says(WORDS) }
  }
  return [
    ...POPPLER.groups
      .flatMap(({ to }) => to)
      .map((to) => ({ engine: 'poppler', data: pdf([WORDS]), steps: [{ from: 'pdf', to, ...check(to) }] })),
    ...['ps', 'eps'].flatMap((from) =>
      Object.keys(DEVICES)
        .filter((to) => to !== from)
        .map((to) => ({ engine: 'ghostscript', data: TEXTS[from] ?? '', steps: [{ from, to, ...(from === 'eps' ? check(to) : {}) }] })),
    ),
  ]
}
