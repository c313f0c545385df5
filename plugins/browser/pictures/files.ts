import { Fault, type ScratchFile, type Services } from '../../../core/sdk/index.js'
import type { JoinArgs } from '../parse/join.js'
import { MOST_BYTES } from './limits.js'
import { tooLarge } from './too-large.js'

/** Where the bands of a large picture are kept, and how they become one. */
export interface PictureFiles {
  /** Puts a band, base64, onto the disk. */
  keep(base64: string): Promise<ScratchFile>
  /** One picture, base64, of bands from top to bottom. Throws `invalid` when it is too large a file. */
  join(bands: readonly ScratchFile[], options: JoinArgs): Promise<string>
}

const JOIN = new URL('../parse/join.js', import.meta.url)
/** 3,840 by 16,384 pixels of noise, decoded, encoded and copied. */
const MEMORY_MB = 1024
const JOIN_MS = 25_000

/** Bands among the files of the call, joined in the sandbox. */
export function pictureFiles(context: Pick<Services, 'scratch' | 'parseFiles'>): PictureFiles {
  const { scratch } = context
  return {
    keep: (base64) => scratch.write(Buffer.from(base64, 'base64')),
    join: async (bands, args) => {
      const options = { args, memoryMb: MEMORY_MB, timeoutMs: JOIN_MS, maxBytes: MOST_BYTES }
      const { file } = await context.parseFiles<null>(JOIN, bands, options).catch((error: unknown) => {
        throw Fault.is(error) && error.kind === 'invalid' ? tooLarge() : error
      })
      if (file === null) throw new Fault('broken', 'the picture could not be put together')
      const chunks: Uint8Array[] = []
      for await (const chunk of scratch.read(file)) chunks.push(chunk)
      await Promise.all([file, ...bands].map((each) => scratch.remove(each)))
      return Buffer.concat(chunks).toString('base64')
    },
  }
}
