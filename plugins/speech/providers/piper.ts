import { Fault, provider } from '../../../core/sdk/index.js'
import { programFault } from '../../_shared/program-fault.js'
import { piper as vendor } from '../../_vendors/piper.js'
import { speechVendors } from '../contract.js'
import { settings } from '../settings.js'
import { spoken } from '../sound/spoken.js'
import { wordsFor } from '../text/words.js'
import { PROGRAM_MS } from '../times.js'
import { chosenVoice, piperVoice } from '../voices/piper.js'

const MIB = 1024 * 1024
const SOUND = 'speech.wav'

export const piper = provider(speechVendors, {
  vendor,
  settings,
  needs: ['piper_voices'],
  rank: 70,
  serves: (input, { settings: { piper_voices } }) => chosenVoice(piper_voices.map(piperVoice), input) !== null,
  run: async (input, ctx) => {
    const voice = chosenVoice(ctx.settings.piper_voices.map(piperVoice), input)
    if (voice === null) return null
    // The C++ program treats each line as a separate text. Both programs accept these spellings of the options.
    const line = wordsFor(input.text, voice.language).replaceAll('\n', ' ')
    const result = await ctx.exec('piper', ['-m', voice.path, '-f', SOUND, '--sentence_silence', '0.25'], {
      stdin: Buffer.from(`${line}\n`),
      readOnly: [voice.path.slice(0, voice.path.lastIndexOf('/')) || '/'],
      timeoutMs: Math.min(PROGRAM_MS, ctx.timeLeft()),
      memoryMb: 1_024,
      diskMb: 64,
      processes: 64,
      collect: { maxFiles: 1, maxBytes: 64 * MIB, into: 'scratch' },
    })
    const made = result.scratchFiles.find(({ name }) => name === SOUND)?.file
    if (result.code !== 0 || made === undefined) {
      const { kind, message, internal, costly, final } = programFault(result, {
        done: 'spoken',
        subject: 'The text',
        refused: 'Piper could not speak the text.',
        timeLeft: ctx.timeLeft(),
      })
      // A text cannot have a wrong format: a program's rejection is a fault of its voice.
      throw new Fault(kind === 'invalid' ? 'broken' : kind, message, { costly, final, ...(internal === undefined ? {} : { internal }) })
    }
    return await spoken(ctx, made, { voice_model: voice.name, by: 'program' })
  },
})
