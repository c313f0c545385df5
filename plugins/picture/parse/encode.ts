import type { Sharp } from 'sharp'
import type { MakeInput } from '../contract.js'

/** Encoding of a result. */
export interface Encoding {
  readonly format: MakeInput['format']
  readonly quality: number | null
  readonly lossless: boolean
  readonly progressive: boolean
  /** Milliseconds per frame, and loops (0 for endless), of an animation. */
  readonly delay: readonly number[]
  readonly loop: number
}

/** The encoder's options. AVIF with an effort that takes about a second for two million pixels. */
export function encoded(picture: Sharp, { format, quality, lossless, progressive, delay, loop }: Encoding): Sharp {
  const chosen = quality === null ? {} : { quality }
  const moving = delay.length === 0 ? {} : { delay: [...delay], loop }
  switch (format) {
    case 'png':
      return picture.png({ progressive })
    case 'jpeg':
      return picture.jpeg({ ...chosen, progressive })
    case 'webp':
      return picture.webp({ ...chosen, lossless, ...moving })
    case 'avif':
      return picture.avif({ ...chosen, lossless, effort: 2 })
    case 'gif':
      return picture.gif({ progressive, ...moving })
    case 'tiff':
      return picture.tiff(quality === null ? { compression: 'lzw' } : { compression: 'jpeg', quality })
  }
}
