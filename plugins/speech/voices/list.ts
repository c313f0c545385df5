import { Fault, list, or, Type } from '../../../core/sdk/index.js'
import { packVoices } from '../engine.js'
import { settings } from '../settings.js'
import { ESPEAK_VOICES, espeakLanguage } from './espeak-ng.js'
import { CARTESIA_LANGUAGES, DEEPGRAM_VOICES, OPENAI_VOICES } from './forms.js'
import { piperTitle, piperVoice, type PiperVoice } from './piper.js'

interface Voice {
  readonly provider: string
  readonly voice_model: string | null
  readonly voice_id: string
  /** Languages, ISO 639-1; empty for a multilingual voice. */
  readonly languages: readonly string[]
  readonly title: string
}

/** `GET /v1/speech/voices`. */
export const voices = list({
  path: '/v1/speech/voices',
  title: 'Voices',
  description:
    'Voices that speech.synthesize accepts now, by language. The list has the voices known to this gateway; other ' +
    'voices of providers with accounts can be used too. A voice without languages speaks any language.',
  query: Type.Object({
    language: or(Type.String({ maxLength: 40, description: 'Only voices of this language, such as en, de or pt-br; empty for all.' }), ''),
    provider: or(Type.String({ maxLength: 60, description: 'Only voices of this provider; empty for all.' }), ''),
  }),
  response: Type.Object({
    count: Type.Integer({ description: 'Number of voices in the list.' }),
    voices: Type.Array(
      Type.Object({
        provider: Type.String(),
        voice_model: Type.Union([Type.String(), Type.Null()], { description: 'Model to use with the voice; null for the default.' }),
        voice_id: Type.String(),
        languages: Type.Array(Type.String(), { description: 'ISO 639-1; empty for any.' }),
        title: Type.String(),
      }),
    ),
  }),
  settings,
  read: async (context) => {
    const { query, settings: values } = context
    const live = context.providers().map(({ id }) => id)
    const provider = query.provider.trim().toLowerCase()
    if (provider !== '' && !live.includes(provider))
      throw new Fault('invalid', `No provider ${JSON.stringify(query.provider)} is live here; live are ${live.join(', ')}.`, {
        loc: ['provider'],
      })
    const language = query.language.trim().toLowerCase()
    const packed = live.includes('voice') ? ((await packVoices(context)) ?? []) : []
    const found = live
      .filter((id) => provider === '' || id === provider)
      .flatMap((id) => voicesOf(id, values, packed))
      .filter((voice) => language === '' || speaks(voice, language))
      .map((voice) => ({ ...voice, languages: [...voice.languages] }))
    return { count: found.length, voices: found }
  },
})

/** A multilingual voice supports every language. `pt-br` is a separate code, `en-us` also the language `en`. */
function speaks({ languages, voice_id }: Voice, language: string): boolean {
  const [base = ''] = language.split(/[-_]/, 1)
  return languages.length === 0 || voice_id.toLowerCase() === language || (language === base && languages.includes(base))
}

function voicesOf(
  vendor: string,
  values: {
    readonly elevenlabs_voice: string
    readonly openai_voice: string
    readonly deepgram_voice: string
    readonly cartesia_voice: string
    readonly piper_voices: readonly string[]
  },
  packed: readonly PiperVoice[],
): Voice[] {
  const voice = (voice_id: string, title: string, languages: readonly string[] = []): Voice => ({
    provider: vendor,
    voice_model: null,
    voice_id,
    languages,
    title,
  })
  const configured = (id: string, languages: readonly string[] = []): Voice[] =>
    id === '' ? [] : [voice(id, 'The voice of the settings', languages)]
  switch (vendor) {
    case 'elevenlabs':
      return configured(values.elevenlabs_voice)
    case 'openai-compatible':
      return [...new Set([values.openai_voice, ...OPENAI_VOICES])].map((id) => voice(id, id))
    case 'deepgram':
      return [
        ...configured(values.deepgram_voice, [values.deepgram_voice.slice(-2)]),
        ...Object.entries(DEEPGRAM_VOICES).map(([language, id]) => voice(id, id, [language])),
      ]
    case 'cartesia':
      return configured(values.cartesia_voice, CARTESIA_LANGUAGES)
    case 'voice':
      return packed.map((one) => voice(one.name, piperTitle(one), [one.language]))
    case 'piper':
      return values.piper_voices.map(piperVoice).map(({ name, language }) => voice(name, name, [language]))
    case 'espeak-ng':
      return ESPEAK_VOICES.map(([code, title]) => voice(code, title, [espeakLanguage(code)]))
    default:
      return []
  }
}
