import { Type } from '../../core/sdk/index.js'
import { engine } from '../_shared/engine.js'
import { packFile, sourceFile } from '../_shared/engine-pack.js'

/**
 * Speaker encoder. `{ work: 'embed', windows }` with 16-bit samples at 16,000 per second returns 256 32-bit floats
 * for each window of 1.6 s that starts at one of the seconds; `{ work: 'cluster' }` with those of a whole recording
 * returns the speaker of each.
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
