import { Fault, provider, SchemaCompiler, Type } from '../../../core/sdk/index.js'
import { voice as vendor } from '../../_vendors/voice.js'
import { speechVendors } from '../contract.js'
import { voiceEngine, voicesOf } from '../engine.js'
import { joined, type Part } from '../sound/join.js'
import { spoken } from '../sound/spoken.js'
import { writeWav } from '../sound/wav.js'
import { sentences } from '../text/sentences.js'
import { wordsFor } from '../text/words.js'
import { fits, isNamed } from '../voices/forms.js'
import { chosenVoice } from '../voices/piper.js'

/** Characters per request, so that callers take turns. */
const MOST_CHARACTERS = 300
/** Milliseconds reserved for joining. */
const REST_MS = 2_000

const answer = new SchemaCompiler().compile(Type.Object({ sample_rate: Type.Integer({ minimum: 4_000 }) }))

export const voice = provider(speechVendors, {
  vendor,
  rank: 60,
  serves: (input) => (isNamed(input) ? fits(vendor.id, input) : input.local_languages.includes(input.language)),
  run: async (input, ctx) => {
    const engine = await ctx.use(voiceEngine)
    const chosen = chosenVoice(voicesOf(await engine.packs()), input)
    if (chosen === null) return null
    const { language, name, path, pack } = chosen
    const pieces = sentences(wordsFor(input.text, language), { language, most: MOST_CHARACTERS })
    const whole = pieces.reduce((sum, { text }) => sum + text.length, 0)
    const parts: Part[] = []
    let done = 0
    // The first piece may include the start of the engine, so it does not measure its speed.
    let first: Mark | null = null
    for (const { text, endsParagraph } of pieces) {
      ctx.progress('speaking', undefined, done, whole)
      const { result, bytes } = await engine.ask(ctx, { input: { text, voice: path }, pack })
      if (!answer.check(result))
        throw new Fault('broken', 'The local voice answered in a form that was not understood.', { internal: answer.explain() })
      const samples = new Int16Array(bytes.slice().buffer)
      if (samples.length > 0) parts.push({ rate: result.sample_rate, samples, endsParagraph })
      done += text.length
      const now = { done, left: ctx.timeLeft() }
      if (first !== null) assertInTime(first, now, whole)
      first ??= now
    }
    if (parts.length === 0) return null
    return await spoken(ctx, await ctx.scratch.write(writeWav(joined(parts))), { voice_model: name, by: 'program' })
  },
})

/** Progress of a text and the milliseconds left at that point. */
interface Mark {
  readonly done: number
  readonly left: number
}

/** Throws `missing` as soon as the rest of the text cannot be spoken in the remaining time, so that a faster engine still can. */
function assertInTime(first: Mark, { done, left }: Mark, whole: number): void {
  const msEach = (first.left - left) / (done - first.done)
  if (msEach * (whole - done) > left - REST_MS)
    throw new Fault('missing', 'The text is too long for the local voice in the time of a call.', { inconclusive: true })
}
