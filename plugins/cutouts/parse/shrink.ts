import { open } from './picture.js'

/** A picture scaled into a square of `side` pixels on white, 8-bit RGB, as Base64. */
export default async (bytes: Uint8Array, { side }: { readonly side: number }): Promise<string> => {
  const { picture } = await open(bytes)
  const square = picture().flatten({ background: '#ffffff' }).resize(side, side, { fit: 'fill', kernel: 'lanczos3' })
  return (await square.toColourspace('srgb').removeAlpha().raw({ depth: 'uchar' }).toBuffer()).toString('base64')
}
