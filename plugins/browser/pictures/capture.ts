import type { CDPSession } from 'playwright-core'
import { Fault, type ScratchFile } from '../../../core/sdk/index.js'
import type { PictureFiles } from './files.js'
import { tooLarge } from './too-large.js'
import { BAND_PIXELS, MOST_BYTES, MOST_HEIGHT, MOST_WEBP_HEIGHT, QUALITY } from './limits.js'

export interface ImageOptions {
  readonly format: 'png' | 'jpeg' | 'webp'
  /** Of the window, in CSS pixels. */
  readonly width: number
  readonly height: number
  /** The whole page instead of the window. */
  readonly fullPage: boolean
}

/** A picture in base64, and what the caller should know of it. */
export interface Captured {
  readonly picture: string
  readonly notes: readonly string[]
}

/**
 * Takes a picture of the window, or of the page cut at its most height. A large one is taken in bands, since the browser, which others use too,
 * does nothing else while it encodes. Throws `invalid` when the file is too large.
 */
export async function captureImage(session: CDPSession, options: ImageOptions, files: PictureFiles): Promise<Captured> {
  const { format, width, height, fullPage } = options
  const whole = fullPage ? await wholeHeight(session, height) : height
  const kept = Math.min(whole, format === 'webp' ? MOST_WEBP_HEIGHT : MOST_HEIGHT)
  const notes = whole > kept ? [`the page is ${whole} pixels high: its picture is cut at ${kept}`] : []
  const single = width * kept <= BAND_PIXELS
  const picture = single
    ? await capture(session, { format, width, top: 0, height: kept, fullPage })
    : await files.join(await bandsOf(session, { ...options, height: kept }, files), { format, width, height: kept })
  if ((picture.length / 4) * 3 > MOST_BYTES) throw tooLarge()
  return { picture, notes }
}

/** Bands from top to bottom. Scripts stand still meanwhile, so that they fit each other. */
async function bandsOf(session: CDPSession, { width, height, fullPage }: ImageOptions, files: PictureFiles): Promise<ScratchFile[]> {
  await session.send('Emulation.setScriptExecutionDisabled', { value: true })
  const bands: ScratchFile[] = []
  const most = Math.floor(BAND_PIXELS / width)
  for (let top = 0; top < height; top += most) {
    const band = { format: 'png', width, top, height: Math.min(most, height - top), fullPage, fast: true } as const
    bands.push(await files.keep(await capture(session, band)))
  }
  return bands
}

interface Part extends ImageOptions {
  readonly top: number
  /** Compressed less, in a third of the time. */
  readonly fast?: boolean
}

async function capture(session: CDPSession, { format, width, top, height, fullPage, fast = false }: Part): Promise<string> {
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    ...(format === 'png' ? { optimizeForSpeed: fast } : { quality: QUALITY }),
    captureBeyondViewport: fullPage,
    clip: { x: 0, y: top, width, height, scale: 1 },
  })
  if (data === '') throw new Fault('broken', 'the browser drew nothing')
  return data
}

async function wholeHeight(session: CDPSession, least: number): Promise<number> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return Math.max(least, Math.ceil(cssContentSize.height))
}
