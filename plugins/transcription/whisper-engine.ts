import { Type } from '../../core/sdk/index.js'
import { engine } from '../_shared/engine.js'
import { packFile, sourceFile } from '../_shared/engine-pack.js'

/**
 * Whisper: takes 16-bit samples at 16,000 per second, returns segments with words. The English model is for English,
 * the other for the rest.
 */
export const whisperEngine = engine({
  id: 'transcription.whisper',
  manifest: packFile(import.meta.url, 'whisper'),
  module: sourceFile(import.meta.url, 'engine/whisper.py'),
  settings: Type.Object({}),
  args: ({ packs: [pack] }) => [pack.path('tiny.en'), pack.path('base')],
  memoryMb: 2_048,
  recycleMb: 1_200,
  uses: 500,
  startMs: 60_000,
})
