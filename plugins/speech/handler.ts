import { Fault, handle, type LiveProvider } from '../../core/sdk/index.js'
import { base64Of } from '../_shared/base64.js'
import { BUNDLED_LANGUAGES, speechSynthesize, speechVendors, type SpeechInput } from './contract.js'
import { packVoices } from './engine.js'
import { encoded } from './sound/encoded.js'
import { languageOf } from './text/language.js'
import { plainText } from './text/plain.js'
import { isNamed, takenBy, vendorsOf } from './voices/forms.js'

type Live = LiveProvider<typeof speechVendors.input>
/** Aliases of vendors. */
const ALIASES: Readonly<Record<string, string>> = { openai: 'openai-compatible', espeak: 'espeak-ng' }

/** Calls the named vendor, or all in order, and returns their speech in the answer's format. */
export const speechHandler = handle(speechSynthesize, async ({ text, provider, ...wanted }, ctx) => {
  const live = ctx.providers(speechVendors)
  const only = vendorNamed(provider, live)
  const plain = plainText(text)
  const packed = live.some(({ id }) => id === 'voice') ? await packVoices(ctx) : []
  // When the voices cannot be listed, the vendor is called and reports the error.
  const local_languages = packed === null ? BUNDLED_LANGUAGES : [...new Set(packed.map(({ language }) => language))]
  const request: SpeechInput = { ...wanted, text: plain, language: languageOf(plain), local_languages, named: only !== null }
  assertFitting(request, only === null ? live : [only])
  const sound = await ctx.call(speechVendors, request, only === null ? {} : { only: only.id })
  const { bytes, format, sample_rate } = await encoded(ctx, sound)
  return { audio_base64: base64Of(bytes), format, sample_rate, text, voice_model: sound.voice_model }
})

/** The live vendor named by the caller; null for auto. Throws `invalid` for one that is unknown or not live. */
function vendorNamed(provider: string | null, live: readonly Live[]): Live | null {
  const name = (provider ?? 'auto').trim().toLowerCase()
  if (name === 'auto') return null
  const found = live.find(({ id }) => id === (ALIASES[name] ?? name))
  if (found !== undefined) return found
  throw new Fault(
    'invalid',
    `No provider ${JSON.stringify(provider)} is live here; live are auto, ${live.map(({ id }) => id).join(', ')}.`,
    {
      loc: ['provider'],
    },
  )
}

/** Throws `invalid` when no vendor supports the named voice or model, with valid alternatives. Without a name the waterfall decides. */
function assertFitting(request: SpeechInput, vendors: readonly Live[]): void {
  if (vendors.some(({ serves }) => serves(request))) return
  const [only] = vendors
  if (isNamed(request)) {
    const loc = request.voice_id === null ? 'voice_model' : 'voice_id'
    throw new Fault(
      'invalid',
      `${namesOf(request)} ${vendors.length === 1 ? `is not for ${only?.id ?? ''}` : 'fits no vendor that is live'}${home(request, vendors)}. ${fitting(vendors)}`,
      { loc: [loc] },
    )
  }
  if (request.named)
    throw new Fault('invalid', `${only?.id ?? ''} has no voice for the language of the text (${request.language}); auto asks the others.`, {
      loc: ['provider'],
    })
}

function namesOf({ voice_model, voice_id }: SpeechInput): string {
  const names = [
    voice_model === null ? [] : `voice_model ${JSON.stringify(voice_model)}`,
    voice_id === null ? [] : `voice_id ${JSON.stringify(voice_id)}`,
  ]
  return names.flat().join(' with ')
}

/** The vendor of a voice, if it is another one. */
function home({ voice_model, voice_id }: SpeechInput, vendors: readonly Live[]): string {
  const owners = vendorsOf(voice_id ?? voice_model ?? '').filter((owner) => !vendors.some(({ id }) => id === owner))
  return owners.length === 0 ? '' : ` (it is one of ${owners.join(' or ')})`
}

function fitting(vendors: readonly Live[]): string {
  const taken = vendors.flatMap(({ id }) => {
    const takes = takenBy(id)
    return takes === null ? [] : [`${id} takes ${takes}`]
  })
  return `${taken.join('; ')}. GET /v1/speech/voices lists voices.`
}
