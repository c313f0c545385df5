import { Fault, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import type { Question } from './ask.js'

/** File types a model accepts, by its vendor's setting. */
type Vision = 'auto' | 'off' | 'on' | 'pdf'

/** Base64 encodes three bytes as four characters (RFC 4648, section 4). */
const GROUP = 3

/** True when a model with this setting accepts all these files. `known` is used for `auto`. */
export function takesFiles(files: Question['files'], vision: Vision, known: Exclude<Vision, 'auto'>): boolean {
  const allowed = vision === 'auto' ? known : vision
  return files.every(({ content_type }) => allowed === 'pdf' || (allowed === 'on' && content_type !== 'application/pdf'))
}

/** Base64 characters for a number of bytes. */
export function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / GROUP)
}

/**
 * Writes a file of the call in Base64 into a buffer with enough space, in chunks. Throws a `broken` Fault when its
 * size differs from the stated one.
 */
export async function writeBase64(file: ScratchFile, ctx: Pick<ProviderContext, 'scratch'>, into: Buffer): Promise<void> {
  let rest = Buffer.alloc(0)
  let [size, at] = [0, 0]
  for await (const chunk of ctx.scratch.read(file)) {
    size += chunk.length
    if (size > file.size) break
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % GROUP)
    at += into.write(bytes.toString('base64', 0, whole), at, 'latin1')
    rest = bytes.subarray(whole)
  }
  if (size !== file.size) throw new Fault('broken', 'A file of the call is not of the stated size.')
  into.write(rest.toString('base64'), at, 'latin1')
}
