import { SHARP } from '../../../../plugins/convert/pairs/sharp.js'
import { drawn, visible } from '../checks.js'
import { gradient, SIZE } from '../pictures.js'
import { GRAPHICS } from '../seeds/drawings.js'
import { roundTrips } from './group.js'
import type { Trip } from './types.js'

/** Pictures of the web; of a drawing. Those made of JPEG are made of PNG first, whose transparent corner becomes white. */
export async function webPictures(): Promise<Trip[]> {
  const samples = { png: await gradient('png'), jpeg: await gradient('jpeg'), svg: GRAPHICS['svg'] ?? '' }
  const pictures = SHARP.groups
    .filter(({ to }) => !to.includes('pdf'))
    .flatMap((group) =>
      roundTrips({ engine: 'sharp', ...group, samples, hubs: ['png', 'jpeg'], shown: ['png', 'webp'], check: () => drawn(SIZE) }),
    )
  return [...pictures, { engine: 'sharp', data: await gradient('tiff'), steps: [{ from: 'tiff', to: 'pdf', check: visible() }] }]
}
