import { Fault, provider } from '../../../core/sdk/index.js'
import { espeakNg as vendor } from '../../_vendors/espeak-ng.js'
import { programFault } from '../../_shared/program-fault.js'
import { speechVendors } from '../contract.js'
import { spoken } from '../sound/spoken.js'
import { wordsFor } from '../text/words.js'
import { PROGRAM_MS } from '../times.js'
import { espeakLanguage, espeakVoice, espeakVoiceOf } from '../voices/espeak-ng.js'
import { fits, isNamed } from '../voices/forms.js'

const MIB = 1024 * 1024
const SOUND = 'speech.wav'

export const espeak = provider(speechVendors, {
  vendor,
  rank: 90,
  serves: (input) => (isNamed(input) ? fits(vendor.id, input) : espeakVoiceOf(input.language) !== null),
  run: async ({ text, language, voice_model, voice_id }, ctx) => {
    const named = voice_id ?? voice_model
    const voice = named === null ? espeakVoiceOf(language) : espeakVoice(named)
    if (voice === null) return null
    const result = await ctx.exec('espeak-ng', ['-v', voice, '-b', '1', '-w', SOUND, '--stdin'], {
      stdin: Buffer.from(`${wordsFor(text, espeakLanguage(voice))}\n`),
      timeoutMs: Math.min(PROGRAM_MS, ctx.timeLeft()),
      memoryMb: 128,
      diskMb: 64,
      processes: 8,
      collect: { maxFiles: 1, maxBytes: 64 * MIB, into: 'scratch' },
    })
    const made = result.scratchFiles.find(({ name }) => name === SOUND)?.file
    if (result.code !== 0 || made === undefined)
      throw failure(
        programFault(result, {
          done: 'spoken',
          subject: 'The text',
          refused: 'eSpeak NG does not speak the text.',
          timeLeft: ctx.timeLeft(),
        }),
      )
    return await spoken(ctx, made, { voice_model: voice, by: 'program' })
  },
})

/** A text cannot have a wrong format: a program's rejection is left to the next provider. */
function failure(fault: Fault): Fault {
  return fault.kind === 'invalid'
    ? new Fault('missing', fault.message, { ...(fault.internal === undefined ? {} : { internal: fault.internal }) })
    : fault
}
