import { SHARP } from '../../../../plugins/convert/pairs/sharp.js'
import { drawn } from '../checks.js'
import { gradient, SIZE } from '../pictures.js'
import { GRAPHICS } from '../seeds/drawings.js'
import { roundTrips } from './group.js'
import type { Trip } from './types.js'

/** Pictures of the web; of a drawing. Those made of JPEG are made of PNG first, whose transparent corner becomes white. */
export async function webPictures(): Promise<Trip[]> {
  const samples = { png: await gradient('png'), jpeg: await gradient('jpeg'), svg: GRAPHICS['svg'] ?? '' }
  return SHARP.groups.flatMap((group) =>
    roundTrips({ engine: 'sharp', ...group, samples, hubs: ['png', 'jpeg'], shown: ['png', 'webp'], check: () => drawn(SIZE) }),
  )
}
