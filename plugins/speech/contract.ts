import { capability, flat, nullable, oneOf, or, port, scratchFile, Type, type Static, type Violation } from '../../core/sdk/index.js'
import { isSpeakable } from './text/plain.js'
import { voices } from './voices/list.js'

const MOST_CHARACTERS = 2_000
/** Languages of the voice that comes with the plugin, ISO 639-1. */
export const BUNDLED_LANGUAGES = ['en']
const name = (description: string) => or(nullable(Type.String({ minLength: 1, maxLength: 200, description })), null)
const share = (description: string, value: number) => or(Type.Number({ minimum: 0, maximum: 1, description }), value)

/** What the vendors of speech.synthesize are asked: a text without control characters, and its language. */
export const speechVendors = port({
  id: 'speech.synthesize',
  input: Type.Object({
    text: Type.String({ minLength: 1 }),
    /** ISO 639-1, as found in the text. */
    language: Type.String({ minLength: 2, maxLength: 3 }),
    voice_model: nullable(Type.String()),
    voice_id: nullable(Type.String()),
    stability: Type.Number(),
    similarity_boost: Type.Number(),
    /** ISO 639-1 of the voices of installed packs. */
    local_languages: or(Type.Array(Type.String()), BUNDLED_LANGUAGES),
    /** Whether the caller named this vendor. */
    named: Type.Boolean(),
  }),
  output: Type.Object({
    file: scratchFile,
    format: oneOf('mp3', 'wav'),
    /** Samples a second, as the sound itself says. */
    sample_rate: Type.Integer({ minimum: 1 }),
    /** The model, or the voice where a vendor has no models. */
    voice_model: Type.String(),
  }),
})

/** Speaks a text. */
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
  title: 'Speak a text',
  description:
    'Speaks a text of at most 2,000 characters and gives the sound, base64, as MP3 or WAV; format says which: what a vendor made, and of local voices WAV, or MP3 when it is longer than some 12 seconds. ' +
    'The language is found in the text, or is that of the voice. voice_model names a model, or a voice of vendors that have no models, and voice_id a voice; ' +
    'a vendor that has no such voice is not asked. provider picks one vendor; auto asks them in order. GET /v1/speech/voices lists the voices. ' +
    'Markup such as SSML is spoken as text. Numbers, dates, amounts of money and addresses are spoken as words. A text without a letter or digit is refused.',
  input: Type.Object({
    text: Type.String({ minLength: 1, maxLength: MOST_CHARACTERS, description: 'What to say, at most 2,000 characters.' }),
    voice_model: name('Model such as eleven_multilingual_v2, or a voice such as aura-2-thalia-en; null for the default.'),
    voice_id: name('Voice of the vendor, such as alloy or en-us; null for the default.'),
    provider: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description: 'Vendor to ask, such as elevenlabs or espeak-ng; auto for the first that can.',
        }),
      ),
      'auto',
    ),
    stability: share('How even the voice is, 0 to 1; for ElevenLabs.', 0.5),
    similarity_boost: share('How close to the original voice, 0 to 1; for ElevenLabs.', 0.75),
  }),
  output: Type.Object({
    audio_base64: Type.String({ description: 'The sound, base64.' }),
    format: oneOf('mp3', 'wav'),
    sample_rate: Type.Integer({ description: 'Samples a second of the sound.' }),
    text: Type.String({ description: 'As it was given.' }),
    voice_model: Type.String({ description: 'The model that spoke, or the voice where the vendor has no models.' }),
  }),
  price: flat(2),
  work: 'media',
  timeoutMs: 60_000,
  vendors: speechVendors,
  parts: [
    { title: 'English', params: { text: 'Good day.' }, vendorInput: asked('Good day.', 'en') },
    { title: 'other languages', params: { text: 'Guten Tag.' }, vendorInput: asked('Guten Tag.', 'de') },
  ],
  check: ({ text }) => unspeakable(text),
  lists: { voices },
  examples: [
    { title: 'A sentence', params: { text: 'The meeting starts at 9:30 on March 14.' } },
    { title: 'A voice of one vendor', params: { text: 'Guten Tag.', provider: 'espeak-ng', voice_id: 'de' } },
    { title: 'An even voice', params: { text: 'Welcome.', provider: 'elevenlabs', stability: 0.9 } },
  ],
})

export type SpeechInput = Static<typeof speechVendors.input>
export type SpeechOutput = Static<typeof speechVendors.output>

function unspeakable(text: string): Violation[] {
  return isSpeakable(text) ? [] : [{ loc: ['text'], msg: 'has nothing to say: there is no letter and no digit in it' }]
}

function asked(text: string, language: string): SpeechInput {
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
