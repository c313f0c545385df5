import type { Browser } from 'playwright-core'
import { Fault } from '../../../core/sdk/index.js'
import { isShown } from '../own-file.js'
import { describe, onPage, type VisitOptions } from '../visit.js'
import type { PictureInput, PictureOutput } from './contract.js'
import { takePicture } from './take.js'

/** Opens a page and takes its picture. Faults as `onPage`, and `invalid` for an address that is a download. */
export async function visitPicture(
  browser: Browser,
  input: PictureInput,
  { signal, slot, assertPublic, file: own = null, files }: VisitOptions,
): Promise<PictureOutput> {
  const opening = { ...input, wait_for: null, calm: true }
  if (own !== null && !isShown(own.contentType)) throw notAPage(own.contentType)
  return await onPage(browser, opening, {
    signal,
    slot,
    file: own,
    ...(assertPublic === undefined ? {} : { assertPublic }),
    read: async (opened) => {
      const { status, type } = await describe(opened.main.response)
      if (opened.main.download) throw notAPage(type)
      const { file, notes } = await takePicture(opened, input, files)
      return { file, final_url: opened.page.url(), status, notes: [...notes] }
    },
  })
}

function notAPage(type: string): Fault {
  return new Fault('invalid', `the address is a file to save${type === '' ? '' : ` (${type})`} and no page that could be shown`, {
    loc: ['url'],
  })
}
