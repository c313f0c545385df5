import { Fault, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import { base64Of } from '../_shared/base64.js'

/** Most bytes of a vendor's picture: a PNG of 4096 by 4096 pixels of noise has 50 MB. */
const MOST_FILE = 50_000_000
/** Most bytes of a reply with a picture in Base64. */
export const MOST_REPLY = 48 * 1024 * 1024
/** Requirements of a picture at a link, or as the reply itself. */
export const PICTURE_FILE = { kinds: ['image/*'], maxBytes: MOST_FILE }
/** Limit of one vendor in milliseconds, after which the next is called. */
export const HOSTED_MS = 75_000

const MOST_REFERENCE = 8 * 1024 * 1024
const DATA_URL = /^data:[\w.+/-]{1,100};base64,/

/**
 * Decodes the picture of a reply, also of a data URL, to a file of the call. Throws a `broken` Fault for invalid
 * Base64.
 */
export async function decoded(base64: string, { scratch }: Pick<ProviderContext, 'scratch'>): Promise<ScratchFile> {
  const start = DATA_URL.exec(base64.slice(0, 200))?.[0].length ?? 0
  try {
    return await scratch.decode(base64.slice(start), { maxBytes: MOST_FILE })
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    throw new Fault('broken', 'The vendor returned a picture that cannot be read.', { internal: error.message, cause: error })
  }
}

/** The reference picture in Base64, for vendors that accept it inside JSON. */
export async function encoded(reference: ScratchFile, { scratch }: Pick<ProviderContext, 'scratch'>): Promise<string> {
  return base64Of(await scratch.bytes(reference, MOST_REFERENCE))
}

/** Reports the tokens of a reply, if it has both counts. */
export function countTokens(
  model: string,
  counts: { readonly input: unknown; readonly output: unknown },
  context: Pick<ProviderContext, 'tokens'>,
) {
  const { input, output } = counts
  if (isCount(input) && isCount(output)) context.tokens({ model, input, output })
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}
