import { Type } from '../../core/sdk/index.js'
import { engine } from '../_shared/engine.js'
import { packFile, sourceFile } from '../_shared/engine-pack.js'

/** Universal Sentence Encoder, multilingual: `{ texts }` returns 512 32-bit floats, little-endian, for each text. */
export const sentenceEncoder = engine({
  id: 'sentences.encoder',
  manifest: packFile(import.meta.url, 'sentences'),
  module: sourceFile(import.meta.url, 'engine/sentences.py'),
  settings: Type.Object({}),
  args: ({ packs: [pack] }) => [pack.path('weights.npz'), pack.path('sp.model')],
  memoryMb: 512,
  recycleMb: 400,
  uses: 2_000,
})
