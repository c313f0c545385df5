import { Fault, type ScratchFile, type Services, type VendorFile } from '../../core/sdk/index.js'
import type { CaptureInput, CaptureOutput, Format } from './contract.js'
import { MOST_BYTES } from './limits.js'
import { sizeOf } from './size.js'

/** Where the size of a picture stands, at the latest: after the segments of a jpeg that may precede it. */
const HEAD_CHARACTERS = 4 * 64 * 1024

const KINDS: Readonly<Record<Format, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
}

/** What the file that a vendor is asked for must be. */
export const fileOf = ({ format }: CaptureInput): { kinds: string[]; maxBytes: number } => ({
  kinds: [KINDS[format]],
  maxBytes: MOST_BYTES,
})

/** The answer with a picture in base64. Throws `broken` for one that is not of the format asked for. */
export function answer(base64: string, { format, full_page }: CaptureInput): CaptureOutput {
  const head = Buffer.from(format === 'pdf' ? base64 : base64.slice(0, HEAD_CHARACTERS), 'base64')
  const size = sizeOf(head, format)
  if (size === null && format !== 'pdf') throw new Fault('broken', `the picture is not a ${format} file`)
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return {
    image_base64: base64,
    format,
    width: size?.width ?? null,
    height: size?.height ?? null,
    full_page,
    size_bytes: (base64.length / 4) * 3 - padding,
  }
}

/** The answer with a picture that a vendor made. */
export async function answerFile({ file }: VendorFile, input: CaptureInput, context: Services): Promise<CaptureOutput> {
  const bytes = await bytesOf(file, context)
  await context.scratch.remove(file)
  return answer(bytes.toString('base64'), input)
}

async function bytesOf(file: ScratchFile, context: Services): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of context.scratch.read(file)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
