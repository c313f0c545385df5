import { Fault, MODEL_FILE_LIMITS, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import type { Question } from './ask.js'

/** What a model is shown, as its vendor's setting says. */
export type Vision = 'auto' | 'off' | 'on' | 'pdf'

/** Three bytes are four characters of Base64 (RFC 4648, section 4). */
const GROUP = 3

/** True when a model that is shown so much takes all these files. `known` stands for `auto`. */
export function takesFiles(files: Question['files'], vision: Vision, known: Exclude<Vision, 'auto'>): boolean {
  const shown = vision === 'auto' ? known : vision
  return files.every(({ content_type }) => shown === 'pdf' || (shown === 'on' && content_type !== 'application/pdf'))
}

/**
 * A file of the call in Base64, as the bytes of its characters. Throws an `invalid` Fault for one that is larger than models are shown, whatever
 * its size was said to be.
 */
export async function base64Of(file: ScratchFile, ctx: Pick<ProviderContext, 'scratch'>, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let rest = Buffer.alloc(0)
  let size = 0
  for await (const chunk of ctx.scratch.read(file)) {
    size += chunk.length
    if (size > most) throw new Fault('invalid', `A model is shown at most ${MODEL_FILE_LIMITS.together} bytes of files.`)
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % GROUP)
    pieces.push(Buffer.from(bytes.toString('base64', 0, whole), 'latin1'))
    rest = bytes.subarray(whole)
  }
  pieces.push(Buffer.from(rest.toString('base64'), 'latin1'))
  return Buffer.concat(pieces)
}
