import { Fault, type ScratchFile, type Services } from '../../core/sdk/index.js'
import { MOST_BYTES } from '../browser/contract.js'
import type { CaptureInput, CaptureOutput, Format } from './contract.js'
import { sizeOf } from './size.js'

const KINDS: Readonly<Record<Format, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
}

/** Requirements of a vendor's file. */
export const fileOf = ({ format }: CaptureInput): { kinds: string[]; maxBytes: number } => ({
  kinds: [KINDS[format]],
  maxBytes: MOST_BYTES,
})

/** The answer with a picture from the files of the call, which is deleted. Throws `broken` for one of another format. */
export async function answer(
  file: ScratchFile,
  { format, full_page }: Pick<CaptureInput, 'format' | 'full_page'>,
  { scratch }: Pick<Services, 'scratch'>,
): Promise<CaptureOutput> {
  if (file.size > MOST_BYTES) throw new Fault('broken', 'the picture is larger than an answer may be')
  const bytes = Buffer.from(await scratch.bytes(file, MOST_BYTES))
  await scratch.remove(file)
  const size = sizeOf(bytes, format)
  if (size === null && format !== 'pdf') throw new Fault('broken', `the picture is not a ${format} file`)
  return {
    image_base64: bytes.toString('base64'),
    format,
    width: size?.width ?? null,
    height: size?.height ?? null,
    full_page,
    size_bytes: file.size,
  }
}
