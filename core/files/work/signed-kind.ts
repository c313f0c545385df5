import { fileTypeFromBuffer } from 'file-type'
import type { FileKind } from '../../sdk/index.js'

/** The kind of a file by the signature in its first bytes; null without a known one. */
export async function signedKind(head: Uint8Array): Promise<FileKind | null> {
  try {
    const found = await fileTypeFromBuffer(head)
    return found === undefined ? null : { contentType: found.mime.split(';', 1)[0]?.trim() ?? '', extension: found.ext.toLowerCase() }
  } catch (error) {
    // A parser error means that the kind is unknown.
    if (error instanceof Error) return null
    throw error
  }
}
