import type { ScratchFile, Services, VendorFile } from '../../../core/sdk/index.js'

/** Stores a picture (base64) as an artifact and returns its link; null when there is none, or it is not a picture. */
export async function storePicture(context: Services, base64: string | null | undefined, url: string): Promise<string | null> {
  if (base64 === null || base64 === undefined || base64 === '') return null
  return await storePictureFile(context, await context.scratch.write(Buffer.from(base64, 'base64')), url)
}

/** The same for a picture that is a file of the call. */
export async function storePictureFile(context: Services, file: ScratchFile | null, url: string): Promise<string | null> {
  if (file === null) return null
  const kind = await context.scratch.kind(file)
  if (kind !== null && PICTURES.includes(kind.contentType)) return await keepPicture(context, { file, contentType: kind.contentType }, url)
  context.log('the picture of a page is none', { kind: kind?.contentType ?? null })
  return null
}

/** Accepted types of a vendor's picture of a page. */
export const PICTURES = ['image/png', 'image/jpeg', 'image/webp']

/** Stores a vendor's picture of a page as an artifact and returns its link. */
export async function keepPicture(
  context: Services,
  { file, contentType }: Pick<VendorFile, 'file' | 'contentType'>,
  url: string,
): Promise<string> {
  const extension = contentType.replace('image/', '').replace('jpeg', 'jpg')
  return (await context.scratch.store(file, { name: `${new URL(url).hostname}.${extension}`, contentType })).url
}
