import { asFault, openPicture } from './open.js'
import { isBlank } from './one-colour.js'

/** Whether all pixels of a picture have one colour, or are transparent. Runs in the sandbox, like `make`. */
export default async function blank([bytes = new Uint8Array()]: readonly Uint8Array[]): Promise<{ readonly result: boolean }> {
  const { read } = await openPicture(bytes, { page: 0, animated: false, name: 'The file' })
  try {
    const { channels } = await read().flatten({ background: '#ffffff' }).toColourspace('srgb').stats()
    return { result: channels.every(({ min, max }) => isBlank(min, max)) }
  } catch (error) {
    throw asFault(error, 'The picture cannot be read to its end.')
  }
}
