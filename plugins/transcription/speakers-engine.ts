import { Type } from '../../core/sdk/index.js'
import { engine } from '../_shared/engine.js'
import { packFile, sourceFile } from '../_shared/engine-pack.js'

/**
 * Encoder of speakers. `{ work: 'embed', windows }` with 16-bit samples at 16,000 a second gives 256 numbers of 32 bits for each window of 1.6 s that begins at
 * one of the seconds; `{ work: 'cluster' }` with those of a whole recording gives the speaker of each.
 */
export const speakersEngine = engine({
  id: 'transcription.speakers',
  manifest: packFile(import.meta.url, 'speakers'),
  module: sourceFile(import.meta.url, 'engine/speakers.py'),
  settings: Type.Object({}),
  args: ({ packs: [pack] }) => [pack.path('pretrained.pt')],
  memoryMb: 1_024,
  uses: 500,
})
