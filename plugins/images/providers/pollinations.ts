import { createHash } from 'node:crypto'
import { provider } from '../../../core/sdk/index.js'
import { pollinations as vendor } from '../../_vendors/pollinations.js'
import { imageVendors } from '../contract.js'
import { finished, FINISHING } from '../finished.js'
import { HOSTED_MS, PICTURE_FILE } from '../reply.js'
import { settings } from '../settings.js'
import { requestSize, pixelsOf } from '../sizes.js'

/** Most percent-encoded characters of a prompt in the address. */
const MOST_ENCODED = 6_000
/** Sequences forbidden in a request path (`..` between slashes, also encoded). */
const CLIMBS = /(?:^|%2F|%5C)\.\.(?:$|%2F|%5C)/
const SIDES = { step: 8, most: 1024 }

/** A picture by its address. The service caches by prompt and seed, so each call has its own seed. */
export const pollinations = provider(imageVendors, {
  vendor,
  settings,
  rank: 70,
  timeoutMs: HOSTED_MS,
  uses: FINISHING,
  serves: ({ prompt, reference }) => reference === null && segment(prompt).length <= MOST_ENCODED && !CLIMBS.test(segment(prompt)),
  run: async (input, context) => {
    const prompt = segment(input.prompt)
    const isKeyed = context.secret('api_key') !== ''
    const { width, height } = requestSize(pixelsOf(input), SIDES)
    const { file } = await context.api.file(
      {
        path: isKeyed ? `/image/${prompt}` : `/prompt/${prompt}`,
        ...(isKeyed ? { host: 'keyed' } : {}),
        query: {
          model: context.settings.pollinations_model,
          width,
          height,
          seed: seedOf(context.requestId),
          nologo: true,
          private: true,
          safe: true,
        },
      },
      PICTURE_FILE,
    )
    return await finished(file, { input, vendor: vendor.id }, context)
  },
})

/** A prompt as one segment of a path; halves of surrogate pairs cannot be encoded. */
function segment(prompt: string): string {
  return encodeURIComponent(prompt.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** 31 bits. */
function seedOf(requestId: string): number {
  return createHash('sha256').update(requestId).digest().readUInt32BE(0) >>> 1
}
