import { isRecord } from '../../core/sdk/index.js'
import { engine } from '../_shared/engine.js'
import { packFile, type Pack } from '../_shared/engine-pack.js'
import { piperVoice, type PiperVoice } from './voices/piper.js'

/** Voices of Piper: takes `{ text, voice }`, the path of a voice, and gives `{ sample_rate }` and samples of 16 bit. */
export const voiceEngine = engine({
  id: 'speech.voice',
  manifest: packFile(import.meta.url, 'voice'),
  module: new URL('./engine/voice.js', import.meta.url),
  args: ({ packs: [pack] }) => [pack.folder],
  memoryMb: 1024,
  recycleMb: 700,
})

/** The voices of the installed packs: each has a file that its `about` names as `model`, with the JSON file beside it. */
export function voicesOf(packs: readonly Pack[]): PiperVoice[] {
  return packs.flatMap((pack) => {
    const model = isRecord(pack.about) ? pack.about.model : undefined
    return typeof model === 'string' ? [piperVoice(pack.path(model))] : []
  })
}
