import { fileTypeFromBuffer } from 'file-type'
import type { FileKind } from '../../sdk/index.js'

/** What the first bytes of a file are by their signature; null when they have none that is known. */
export async function signedKind(head: Uint8Array): Promise<FileKind | null> {
  try {
    const found = await fileTypeFromBuffer(head)
    return found === undefined ? null : { contentType: found.mime.split(';', 1)[0]?.trim() ?? '', extension: found.ext.toLowerCase() }
  } catch (error) {
    // A reader of foreign bytes that stumbles over them knows nothing of them.
    if (error instanceof Error) return null
    throw error
  }
}
