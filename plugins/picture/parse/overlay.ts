import type { OverlayOptions } from 'sharp'
import type { Opened } from './open.js'
import type { Size } from './size.js'

export interface Placing {
  /** Size of the picture below. */
  readonly size: Size
  /** Centred when null. */
  readonly left: number | null
  readonly top: number | null
  readonly opacity: number
}

/** The part of an overlay within the picture, upright, with its opacity; null when it is entirely outside. */
export async function overlayOf(opened: Opened, { size, left, top, opacity }: Placing): Promise<OverlayOptions | null> {
  const upright = opened.read().autoOrient().toColourspace('srgb').ensureAlpha()
  const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true })
  const x = left ?? Math.round((size.width - info.width) / 2)
  const y = top ?? Math.round((size.height - info.height) / 2)
  const from = { left: Math.max(0, -x), top: Math.max(0, -y) }
  const width = Math.min(info.width - from.left, size.width - Math.max(0, x))
  const height = Math.min(info.height - from.top, size.height - Math.max(0, y))
  if (width <= 0 || height <= 0) return null
  const input = Buffer.allocUnsafe(width * height * 4)
  for (let row = 0; row < height; row += 1) {
    const start = ((from.top + row) * info.width + from.left) * 4
    data.copy(input, row * width * 4, start, start + width * 4)
  }
  if (opacity < 1) for (let at = 3; at < input.length; at += 4) input[at] = Math.round((input[at] ?? 0) * opacity)
  return { input, raw: { width, height, channels: 4 }, left: Math.max(0, x), top: Math.max(0, y) }
}
