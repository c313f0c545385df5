import { Fault, type ScratchFile, type Services } from '../../../core/sdk/index.js'
import type { JoinArgs } from '../parse/join.js'
import { MOST_BYTES } from './limits.js'
import { tooLarge } from './too-large.js'

/** Stores pictures and joins the bands of a large one. */
export interface PictureFiles {
  /** Writes the browser's output (base64, or a stream of bytes) to disk. */
  keep(data: string | AsyncIterable<Uint8Array>): Promise<ScratchFile>
  /**
   * Joins bands from top to bottom into one picture; the bands are deleted. Throws `invalid` when the file is too
   * large.
   */
  join(bands: readonly ScratchFile[], options: JoinArgs): Promise<ScratchFile>
}

const JOIN = new URL('../parse/join.js', import.meta.url)
/** 3,840 by 16,384 pixels of noise, decoded, encoded and copied. */
const MEMORY_MB = 1024
const JOIN_MS = 25_000

/** Pictures among the files of the call; bands are joined in the sandbox. */
export function pictureFiles(context: Pick<Services, 'scratch' | 'parseFiles'>): PictureFiles {
  const { scratch } = context
  return {
    keep: (data) => scratch.write(typeof data === 'string' ? Buffer.from(data, 'base64') : data),
    join: async (bands, args) => {
      const options = { args, memoryMb: MEMORY_MB, timeoutMs: JOIN_MS, maxBytes: MOST_BYTES }
      const { file } = await context.parseFiles<null>(JOIN, bands, options).catch((error: unknown) => {
        throw Fault.is(error) && error.kind === 'invalid' ? tooLarge() : error
      })
      if (file === null) throw new Fault('broken', 'the picture could not be put together')
      await Promise.all(bands.map((each) => scratch.remove(each)))
      return file
    },
  }
}
