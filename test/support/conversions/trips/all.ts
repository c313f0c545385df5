import { archives } from './archives.js'
import { webPages } from './browser.js'
import { books } from './calibre.js'
import { pictures } from './imagemagick.js'
import { media } from './media.js'
import { office } from './office.js'
import { pages } from './pages.js'
import { markup } from './pandoc.js'
import { webPictures } from './sharp.js'
import { tables } from './tables.js'
import type { Trip } from './types.js'

/** A way for every format of every engine of this machine, as source and as target. */
export async function allTrips(): Promise<Trip[]> {
  const [documents, web, rare, ebooks] = await Promise.all([office(), webPictures(), pictures(), books()])
  return [...documents, ...markup(), ...webPages(), ...media(), ...web, ...pages(), ...rare, ...ebooks, ...archives(), ...tables()]
}
