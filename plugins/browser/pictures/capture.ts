import type { CDPSession } from 'playwright-core'
import { Fault, type ScratchFile } from '../../../core/sdk/index.js'
import type { PictureFiles } from './files.js'
import { tooLarge } from './too-large.js'
import { BAND_PIXELS, MOST_BYTES, MOST_HEIGHT, MOST_WEBP_HEIGHT, QUALITY } from './limits.js'

interface ImageOptions {
  readonly format: 'png' | 'jpeg' | 'webp'
  /** Of the window, in CSS pixels. */
  readonly width: number
  readonly height: number
  /** The whole page instead of the window. */
  readonly fullPage: boolean
}

/** A picture among the files of the call, and its notes for the caller. */
export interface Captured {
  readonly file: ScratchFile
  readonly notes: readonly string[]
}

/**
 * Captures the window, or the page up to its maximum height. A large picture is captured in bands, since the shared
 * browser does nothing else while it encodes. Throws `invalid` when the file is too large.
 */
export async function captureImage(session: CDPSession, options: ImageOptions, files: PictureFiles): Promise<Captured> {
  const { format, width, height, fullPage } = options
  const whole = fullPage ? await wholeHeight(session, height) : height
  const kept = Math.min(whole, format === 'webp' ? MOST_WEBP_HEIGHT : MOST_HEIGHT)
  const notes = whole > kept ? [`the page is ${whole} pixels high: its picture is cut at ${kept}`] : []
  const single = width * kept <= BAND_PIXELS
  const file = single
    ? await files.keep(await capture(session, { format, width, top: 0, height: kept, fullPage }))
    : await files.join(await bandsOf(session, { ...options, height: kept }, files), { format, width, height: kept })
  if (file.size > MOST_BYTES) throw tooLarge()
  return { file, notes }
}

/** Bands from top to bottom. Scripts are paused meanwhile, so that the bands match. */
async function bandsOf(session: CDPSession, { width, height, fullPage }: ImageOptions, files: PictureFiles): Promise<ScratchFile[]> {
  await session.send('Emulation.setScriptExecutionDisabled', { value: true })
  const bands: ScratchFile[] = []
  const most = Math.floor(BAND_PIXELS / width)
  for (let top = 0; top < height; top += most) {
    const band = { format: 'png', width, top, height: Math.min(most, height - top), fullPage } as const
    bands.push(await files.keep(await capture(session, band)))
  }
  return bands
}

interface Part extends ImageOptions {
  readonly top: number
}

async function capture(session: CDPSession, { format, width, top, height, fullPage }: Part): Promise<string> {
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    // PNG is compressed at zlib level 1: half the time, for a file a third larger.
    ...(format === 'png' ? { optimizeForSpeed: true } : { quality: QUALITY }),
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
