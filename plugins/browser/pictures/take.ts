import { Fault } from '../../../core/sdk/index.js'
import { isTimeout } from '../faults.js'
import { isolated } from '../isolated.js'
import { lateParts } from '../late.js'
import type { Opened } from '../visit.js'
import { captureImage, type Captured } from './capture.js'
import type { PictureInput } from './contract.js'
import type { PictureFiles } from './files.js'
import { print } from './print.js'
import { scrollThrough } from './scroll.js'
import { standStill } from './still.js'
import { tidy } from './tidy.js'
import { unfold } from './unfold.js'

type TakeOptions = Pick<PictureInput, 'width' | 'height' | 'format' | 'full_page'>

const IDLE_MS = 100
/** Wait for the effects of a pressed button. */
const PRESSED_MS = 1_500
const SCROLL_MS = 8_000
/** Wait for content that came into view. */
const VIEWED_MS = 5_000
const STILL_MS = 3_000
/** Reserved for the capture itself. */
const CAPTURE_MS = 5_000

/** Kinds of requests that affect the appearance of a page. */
const SEEN: ReadonlySet<string> = new Set(['document', 'stylesheet', 'image', 'font', 'script'])

/** Takes a picture of a settled page: tidied up, for a whole page with its lazy content, and without motion. */
export async function takePicture(opened: Opened, options: TakeOptions, files: PictureFiles): Promise<Captured> {
  const { width, height, format, full_page: fullPage } = options
  const { context, page, network, main, left } = opened
  const session = await context.newCDPSession(page)
  const notes: string[] = []
  const within = (ms: number): number => Math.max(1, Math.min(ms, left() - CAPTURE_MS))
  try {
    let world = await isolated(session)
    if (await tidy(world)) {
      await network.wait(IDLE_MS, within(PRESSED_MS))
      // Some pages reload after a consent decision.
      await page.waitForLoadState('load', { timeout: within(PRESSED_MS) }).catch((error: unknown) => {
        if (!isTimeout(error)) throw error
      })
      world = await isolated(session)
    }
    const extent = format === 'pdf' ? 'sheets' : fullPage ? 'page' : 'window'
    if (extent !== 'window') {
      main.awaited = 'it could not be scrolled through'
      if (await unfold(world)) notes.push('a part of the page scrolls by itself, and its picture shows what of it is in view')
      await scrollThrough(world, within(SCROLL_MS))
      await network.wait(IDLE_MS, within(VIEWED_MS))
    }
    await standStill(world, extent, within(STILL_MS))
    const late = lateParts(network, SEEN)
    if (late !== '') notes.push(`the picture was taken without pending parts: ${late}`)
    main.awaited = format === 'pdf' ? 'it could not be printed' : 'its picture was not drawn'
    const taken = format === 'pdf' ? await print(session, files) : await captureImage(session, { format, width, height, fullPage }, files)
    return { ...taken, notes: [...taken.notes, ...notes] }
  } catch (error) {
    if (isTimeout(error)) throw new Fault('blocked', 'the picture of the page was not ready in time', { costly: true })
    throw error
  }
}
