import { Fault, isRecord, type ListContext } from '../../core/sdk/index.js'
import { engine } from '../_shared/engine.js'
import { packFile, type Pack } from '../_shared/engine-pack.js'
import { isPiper } from './voices/forms.js'
import { piperVoice, type PiperVoice } from './voices/piper.js'

/** Piper voices: takes `{ text, voice }`, the path of a voice, and returns `{ sample_rate }` and 16-bit samples. */
export const voiceEngine = engine({
  id: 'speech.voice',
  manifest: packFile(import.meta.url, 'voice'),
  module: new URL('./engine/voice.js', import.meta.url),
  args: ({ packs: [pack] }) => [pack.folder],
  memoryMb: 1024,
  recycleMb: 700,
})

/** A voice of an installed pack. */
interface PackVoice extends PiperVoice {
  readonly pack: Pack
}

/** The voices of packs: the file named `model` in each pack's `about`, with the JSON file beside it, if its name is a Piper voice. */
export function voicesOf(packs: readonly Pack[]): PackVoice[] {
  return packs.flatMap((pack) => {
    const model = isRecord(pack.about) ? pack.about.model : undefined
    if (typeof model !== 'string') return []
    const voice = piperVoice(pack.path(model))
    return isPiper(voice.name) ? [{ ...voice, pack }] : []
  })
}

/** The voices of the packs installed now; null, which is logged, when the engine's own pack is damaged. */
export async function packVoices(context: Pick<ListContext, 'use' | 'log'>): Promise<PackVoice[] | null> {
  try {
    return voicesOf(await (await context.use(voiceEngine)).packs())
  } catch (error) {
    if (!Fault.is(error)) throw error
    context.log('the voices of packs are left out', { error: error.internal ?? error.message })
    return null
  }
}
