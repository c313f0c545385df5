import type { Services } from '../../../core/sdk/index.js'

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
