import { Fault } from '../../../core/sdk/index.js'
import { isTimeout } from '../faults.js'
import type { Opened } from '../visit.js'
import { captureImage, type Captured } from './capture.js'
import type { PictureInput } from './contract.js'
import { print } from './print.js'

export type TakeOptions = Pick<PictureInput, 'width' | 'height' | 'format' | 'full_page'>

/** Takes a picture of a page that has settled. */
export async function takePicture({ context, page }: Opened, options: TakeOptions): Promise<Captured> {
  const { width, height, format, full_page: fullPage } = options
  const session = await context.newCDPSession(page)
  try {
    return format === 'pdf' ? await print(session) : await captureImage(session, { format, width, height, fullPage })
  } catch (error) {
    if (isTimeout(error)) throw new Fault('blocked', 'the picture of the page was not ready in time')
    throw error
  }
}
