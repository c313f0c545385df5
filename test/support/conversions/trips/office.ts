import { officePairs } from '../../../../plugins/office/contract.js'
import { coloured, contains, holds, marks, printed, says, shapes, visible, type Check } from '../checks.js'
import { gradient, moving } from '../pictures.js'
import { pdf } from '../pdf.js'
import { DRAWINGS, GRAPHICS } from '../seeds/drawings.js'
import { RASTERS } from '../seeds/rasters.js'
import { SHEETS, SLIDES, TEXTS } from '../seeds/texts.js'
import { WORD } from '../seeds/word.js'
import { roundTrips } from './group.js'
import type { Sample, Trip } from './types.js'

const engine = 'libreoffice'
const OLD: readonly string[] = ['doc', 'dot', 'xls', 'xlt', 'ppt', 'pps', 'pot']
const ZIPPED: readonly string[] = [
  ...['docx', 'docm', 'dotx', 'odt', 'ott', 'epub', 'xlsx', 'xlsm', 'xltx', 'ods', 'ots'],
  ...['pptx', 'pptm', 'ppsx', 'potx', 'odp', 'otp', 'odg', 'otg'],
]
const RASTER: readonly string[] = ['png', 'jpeg', 'tiff', 'gif', 'webp']

/** Of files that hold the word. */
function word(to: string): Check {
  if (to === 'pdf') return printed(WORD)
  if (OLD.includes(to)) return contains(WORD)
  return ZIPPED.includes(to) ? holds(WORD) : says(WORD)
}

/** Of drawings whose letters may have become lines: something is to be seen. */
function drawing(to: string): Check | undefined {
  if (to === 'pdf') return visible()
  if (RASTER.includes(to)) return coloured()
  if (to === 'eps') return marks()
  return ['odg', 'otg', 'fodg', 'svg'].includes(to) ? shapes() : undefined
}

async function pictures(): Promise<Readonly<Record<string, Sample>>> {
  const { png, jpeg, tiff } = { png: await gradient('png'), jpeg: await gradient('jpeg'), tiff: await gradient('tiff') }
  return { ...RASTERS, png, jpeg, tiff, gif: await moving('gif') }
}

/** What LibreOffice reads and writes, by kind. */
export async function office(): Promise<Trip[]> {
  const [texts, sheets, slides, drawings, graphics, rasters, pages] = officePairs()
  if (!texts || !sheets || !slides || !drawings || !graphics || !rasters || !pages) throw new Error('there are fewer kinds of documents')
  const own = (id: string, samples: Readonly<Record<string, Sample>>): Readonly<Record<string, Sample>> => ({ ...samples, pdf: pdf([id]) })
  return [
    ...roundTrips({ engine, ...texts, samples: TEXTS, hubs: ['docx', 'html'], shown: ['txt', 'fodt'], check: word }),
    ...roundTrips({ engine, ...sheets, samples: SHEETS, hubs: ['csv', 'xlsx'], shown: ['csv', 'tsv'], check: word }),
    ...roundTrips({ engine, ...slides, samples: SLIDES, hubs: ['odp', 'pptx'], shown: ['pdf'], check: word }),
    ...roundTrips({ engine, ...drawings, samples: DRAWINGS, hubs: ['vsdx', 'sxd'], shown: ['pdf'], check: drawing }),
    ...roundTrips({
      engine,
      ...graphics,
      from: plain(graphics.from),
      samples: GRAPHICS,
      hubs: ['svg', 'dxf'],
      shown: ['png'],
      check: drawing,
    }),
    ...['emf', 'wmf'].map((id): Trip => {
      const again = { from: id.replace('f', 'z'), to: 'png', gzip: true as const, check: coloured() }
      return { engine, data: GRAPHICS['svg'] ?? '', steps: [{ from: 'svg', to: id }, again] }
    }),
    ...roundTrips({ engine, ...rasters, samples: await pictures(), hubs: ['png', 'jpeg'], shown: ['pdf'], check: drawing }),
    ...roundTrips({ engine, ...pages, samples: own(WORD, {}), hubs: ['pdf', 'pdf'], shown: ['odt'], check: word }),
  ]
}

/** Without those that are another format, compressed. */
function plain(from: readonly string[]): string[] {
  return from.filter((id) => id !== 'emz' && id !== 'wmz')
}
