import { Fault, provider } from '../../../core/sdk/index.js'
import { sentences as vendor } from '../../_vendors/sentences.js'
import { EMBED_LIMITS, sentencesEmbed } from '../contract.js'
import { sentenceEncoder } from '../engine.js'

const { characters, size } = EMBED_LIMITS
/** Texts per request to the engine, so that other calls are served in between. */
const AT_ONCE = 250
const FLOAT_BYTES = 4

export const sentences = provider(sentencesEmbed, {
  vendor,
  run: async ({ texts }, context) => {
    const engine = await context.use(sentenceEncoder)
    const vectors: Float32Array[] = []
    for (let at = 0; at < texts.length; at += AT_ONCE) {
      const part = texts.slice(at, at + AT_ONCE).map((text) => text.slice(0, characters).toWellFormed())
      const { bytes } = await engine.ask(context, { input: { texts: part } })
      if (bytes.length !== part.length * size * FLOAT_BYTES)
        throw new Fault('broken', 'The encoder of sentences answered in an unknown form.', { internal: `${bytes.length} bytes` })
      // A copy: the bytes of a message may start at an unaligned address.
      const numbers = new Float32Array(new Uint8Array(bytes).buffer)
      for (let one = 0; one < part.length; one++) vectors.push(numbers.slice(one * size, (one + 1) * size))
    }
    return { vectors }
  },
})
