import { capability, flat, nullable, oneOf, or, port, scratchFile, Type, type Static, type Violation } from '../../core/sdk/index.js'
import { isSpeakable } from './text/plain.js'
import { voices } from './voices/list.js'

const MOST_CHARACTERS = 2_000
/** Languages of the bundled voice, ISO 639-1. */
export const BUNDLED_LANGUAGES = ['en']
const name = (description: string) => or(nullable(Type.String({ minLength: 1, maxLength: 200, description })), null)
const share = (description: string, value: number) => or(Type.Number({ minimum: 0, maximum: 1, description }), value)

/** Input and output of the vendors of speech.synthesize: a text without control characters, and its language. */
export const speechVendors = port({
  id: 'speech.synthesize',
  input: Type.Object({
    text: Type.String({ minLength: 1 }),
    /** ISO 639-1, detected from the text. */
    language: Type.String({ minLength: 2, maxLength: 3 }),
    voice_model: nullable(Type.String()),
    voice_id: nullable(Type.String()),
    stability: Type.Number(),
    similarity_boost: Type.Number(),
    /** Languages of the voices of installed packs, ISO 639-1. */
    local_languages: or(Type.Array(Type.String()), BUNDLED_LANGUAGES),
    /** Whether the caller named this vendor. */
    named: Type.Boolean(),
  }),
  output: Type.Object({
    file: scratchFile,
    format: oneOf('mp3', 'wav'),
    /** Sample rate in Hz, as the audio itself states. */
    sample_rate: Type.Integer({ minimum: 1 }),
    /** The model, or the voice if the vendor has no models. */
    voice_model: Type.String(),
  }),
})

/** Synthesizes speech from a text. */
export const speechSynthesize = capability({
  id: 'speech.synthesize',
  path: '/v1/speech/synthesize',
  phrases: [
    { say: '* voice narrate audiobook announce announcement aloud tts spoken speaker pronounce hear speech' },
    { say: 'say|speak|pronounce|narrate {text}' },
    { say: 'read {text} aloud|out|loud' },
    { say: 'read aloud {text}' },
    { say: 'say out loud' },
    { say: 'text to speech {text}' },
    { say: 'voice over|voiceover {text}' },
    { say: 'spoken|voice|audio version' },
    { say: 'audio that|which says|speaks {text}' },
    { say: 'speech from {text}' },
  ],
  title: 'Synthesize speech',
  description:
    'Synthesizes speech from a text of at most 2,000 characters and returns Base64-encoded audio, MP3 or WAV as ' +
    'given by format. Local voices return WAV, or MP3 for speech longer than about 12 seconds. The language is ' +
    'detected from the text, or is that of the voice. voice_model selects a model, or a voice of providers that have ' +
    'no models; voice_id selects a voice; providers without that voice are skipped. provider selects one provider; ' +
    'auto tries them in order. GET /v1/speech/voices lists the voices. Markup such as SSML is read as text. Numbers, ' +
    'dates, amounts of money and web and email addresses are spoken as words. A text without a letter or digit is ' +
    'refused.',
  input: Type.Object({
    text: Type.String({ minLength: 1, maxLength: MOST_CHARACTERS, description: 'Text to speak, at most 2,000 characters.' }),
    voice_model: name('Model such as eleven_multilingual_v2, or voice such as aura-2-thalia-en; null for the default.'),
    voice_id: name('Voice of the provider, such as alloy or en-us; null for the default.'),
    provider: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description: 'Provider, such as elevenlabs or espeak-ng; auto: the first that can serve the call.',
        }),
      ),
      'auto',
    ),
    stability: share('Stability of the voice, 0 to 1; ElevenLabs only.', 0.5),
    similarity_boost: share('Similarity to the original voice, 0 to 1; ElevenLabs only.', 0.75),
  }),
  output: Type.Object({
    audio_base64: Type.String({ description: 'The audio, Base64-encoded.' }),
    format: oneOf('mp3', 'wav'),
    sample_rate: Type.Integer({ description: 'Sample rate in Hz.' }),
    text: Type.String({ description: 'The text, as given.' }),
    voice_model: Type.String({ description: 'The model used, or the voice if the provider has no models.' }),
  }),
  price: flat(2),
  work: 'media',
  timeoutMs: 60_000,
  vendors: speechVendors,
  parts: [
    { title: 'English', params: { text: 'Good day.' }, vendorInput: inputOf('Good day.', 'en') },
    { title: 'other languages', params: { text: 'Guten Tag.' }, vendorInput: inputOf('Guten Tag.', 'de') },
  ],
  check: ({ text }) => unspeakable(text),
  lists: { voices },
  examples: [
    { title: 'A sentence', params: { text: 'The meeting starts at 9:30 on March 14.' } },
    { title: 'A voice of one provider', params: { text: 'Guten Tag.', provider: 'espeak-ng', voice_id: 'de' } },
    { title: 'A stable voice', params: { text: 'Welcome.', provider: 'elevenlabs', stability: 0.9 } },
  ],
})

export type SpeechInput = Static<typeof speechVendors.input>
export type SpeechOutput = Static<typeof speechVendors.output>

function unspeakable(text: string): Violation[] {
  return isSpeakable(text) ? [] : [{ loc: ['text'], msg: 'must contain a letter or a digit' }]
}

function inputOf(text: string, language: string): SpeechInput {
  return {
    text,
    language,
    voice_model: null,
    voice_id: null,
    stability: 0.5,
    similarity_boost: 0.75,
    local_languages: BUNDLED_LANGUAGES,
    named: false,
  }
}
