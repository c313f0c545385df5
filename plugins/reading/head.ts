import { Fault, type ScratchFile, type Services } from '../../core/sdk/index.js'

/** Bytes read to detect a file's type. */
const HEAD = 1_024
/** Larger files are refused. */
const MAX_BYTES = 100 * 1024 * 1024

/** The first bytes of a file. Throws Fault `invalid` for one that is empty or larger than 100 MiB. */
export async function headOf(file: ScratchFile, { scratch }: Services): Promise<Buffer> {
  if (file.size === 0) throw new Fault('invalid', 'The file is empty.')
  if (file.size > MAX_BYTES) throw new Fault('invalid', `The file is larger than ${MAX_BYTES} bytes, more than are read.`)
  return Buffer.from(await scratch.head(file, HEAD))
}

/** A file declared as PDF may have other bytes before its mark (ISO 32000-2, annex I). */
export function isPdf(head: Buffer, declared: boolean): boolean {
  return declared ? head.includes('%PDF-') : /^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head.toString('latin1'))
}

/** A zip archive, or the legacy Office container. */
export function isContainer(head: Buffer): boolean {
  return head.toString('latin1', 0, 2) === 'PK' || head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))
}
