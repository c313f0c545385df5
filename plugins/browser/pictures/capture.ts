import type { CDPSession } from 'playwright-core'
import { Fault } from '../../../core/sdk/index.js'
import { MOST_BYTES, MOST_HEIGHT } from './limits.js'

export interface ImageOptions {
  readonly format: 'png' | 'jpeg' | 'webp'
  /** Of the window, in CSS pixels. */
  readonly width: number
  readonly height: number
  /** The whole page instead of the window. */
  readonly fullPage: boolean
}

/** A picture in base64, and what it does not show. */
export interface Captured {
  readonly picture: string
  readonly notes: readonly string[]
}

const QUALITY = { jpeg: 85, webp: 85 } as const

/** Takes a picture of the window, or of the page cut at 16,384 pixels. Throws `invalid` when it is too large a file. */
export async function captureImage(session: CDPSession, { format, width, height, fullPage }: ImageOptions): Promise<Captured> {
  const whole = fullPage ? await wholeHeight(session, height) : height
  const shown = Math.min(whole, MOST_HEIGHT)
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    ...(format === 'png' ? {} : { quality: QUALITY[format] }),
    captureBeyondViewport: fullPage,
    optimizeForSpeed: fullPage,
    clip: { x: 0, y: 0, width, height: shown, scale: 1 },
  })
  assertSize(data)
  return { picture: data, notes: whole > shown ? [`the page is ${whole} pixels high: its picture is cut at ${shown}`] : [] }
}

/** Refuses a picture that is more than one answer may carry. */
export function assertSize(base64: string): void {
  if ((base64.length / 4) * 3 <= MOST_BYTES) return
  const limit = `${MOST_BYTES / 1024 / 1024} MiB`
  throw new Fault('invalid', `the picture is larger than ${limit}: ask for format jpeg or webp, a smaller width, or without full_page`, {
    loc: ['format'],
  })
}

async function wholeHeight(session: CDPSession, least: number): Promise<number> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return Math.max(least, Math.ceil(cssContentSize.height))
}
