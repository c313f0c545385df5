import type { Services, VendorFile } from '../../../core/sdk/index.js'

/** Puts a picture (base64) into the artifact store and gives its link; null when there is none. */
export async function storePicture(context: Services, base64: string | null | undefined, url: string): Promise<string | null> {
  if (base64 === null || base64 === undefined || base64 === '') return null
  const bytes = Buffer.from(base64, 'base64')
  const jpeg = bytes[0] === 0xff && bytes[1] === 0xd8
  const stored = await context.files.put(bytes, {
    name: `${new URL(url).hostname}.${jpeg ? 'jpg' : 'png'}`,
    contentType: jpeg ? 'image/jpeg' : 'image/png',
  })
  return stored.url
}

/** What a vendor's picture of a page may be. */
export const PICTURES = ['image/png', 'image/jpeg', 'image/webp']

/** Puts a vendor's picture of a page into the artifact store and gives its link. */
export async function keepPicture(context: Services, { file, contentType }: VendorFile, url: string): Promise<string> {
  const extension = contentType.replace('image/', '').replace('jpeg', 'jpg')
  return (await context.scratch.store(file, { name: `${new URL(url).hostname}.${extension}`, contentType })).url
}
