import { addressViolations } from '../_shared/address.js'
import { capability, flat, nullable, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { spokenLanguage } from './language.js'

export { spokenLanguage } from './language.js'
export { isSpaced, isUnspaced } from './words.js'

const seconds = (description: string) => Type.Number({ minimum: 0, description })
const share = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, description }))

const recording = Type.Object({
  /** WAV: mono, 16 bit, 16 kHz. */
  file: scratchFile,
  /** Seconds. */
  duration: Type.Number({ exclusiveMinimum: 0 }),
  /** Pauses in speech of 0.3 s or more, in order, in seconds. */
  pauses: Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() })),
  /** Whether the recording may contain a voice, as opposed to noise, tones and steady music alone. */
  voiced: Type.Boolean(),
})

/**
 * Decodes an audio or video recording of any format for the vendors of transcription. A file without audio, or longer
 * than `audio_seconds`, is an `invalid` Fault; a silent one is `missing`.
 */
export const audioPrepare = port({ id: 'audio.prepare', input: Type.Object({ file: scratchFile }), output: recording })

/** Input of the vendors of transcription, the same for every capability. */
export const transcriptionQuestion = Type.Object({
  audio: recording,
  /** ISO 639-1, otherwise ISO 639-3; null to detect it. */
  language: nullable(Type.String()),
  /** ISO 3166-1 in upper case. */
  region: nullable(Type.String()),
  /** Distinguish speakers, if the vendor can. */
  speakers: Type.Boolean(),
  /** The caller needs the times of words. */
  timed: Type.Boolean(),
})

const spoken = Type.Object({
  /** As written, with punctuation. */
  text: Type.String({ minLength: 1 }),
  /** Seconds from the start of the recording. */
  start: Type.Number({ minimum: 0 }),
  end: Type.Number({ minimum: 0 }),
  confidence: share('Confidence of the vendor.'),
  /** Numbered from 0 in order of first appearance; null when speakers were not distinguished. */
  speaker: nullable(Type.Integer({ minimum: 0 })),
})

/**
 * Output of the vendors of transcription: words, or text alone. A recording without speech is a `missing` Fault, or
 * null.
 */
export const transcriptionAnswer = Type.Object({
  text: Type.String({ minLength: 1 }),
  /** ISO 639-1, otherwise ISO 639-3; null when the vendor does not report it. */
  language: nullable(Type.String()),
  /** In chronological order; empty when the vendor returns text alone. */
  words: Type.Array(spoken),
})

export type Recording = Static<typeof recording>
export type Question = Static<typeof transcriptionQuestion>
export type Answer = Static<typeof transcriptionAnswer>
export type SpokenWord = Static<typeof spoken>

export const speechVendors = port({ id: 'speech.transcribe', input: transcriptionQuestion, output: transcriptionAnswer })
export const audioVendors = port({ id: 'audio.transcribe', input: transcriptionQuestion, output: transcriptionAnswer })

/** The input field for the spoken language. */
export const languageField = or(
  Type.String({
    pattern: '^[A-Za-z]{2,4}(?:[-_][A-Za-z0-9]{2,8}){0,3}$',
    'x-says': 'must be a language code such as en, en_us or pt-BR, or auto',
    description: 'Spoken language, such as en, en_us or pt-BR; auto detects it.',
  }),
  'en',
)

/** Violations of a language code. */
export function languageViolations(language: string) {
  if (spokenLanguage(language) !== undefined) return []
  return [{ loc: ['language'], msg: 'is not a known language; use a code such as en, en_us or pt-BR, or auto', type: 'enum' }]
}

const address = (description: string) => Type.String({ minLength: 1, maxLength: 8192, description })
const ADDRESS = 'URL of the recording, http or https: audio or video in any common format, at most 4 hours.'
const confidence = share('Mean word confidence from 0 to 1, weighted by duration; null when the provider returns none.')
const language = nullable(Type.String({ description: 'Spoken language, ISO 639; null when unknown.' }))

/** 24 MiB of audio in Base64, and the other fields. */
const BODY_BYTES = 34 * 1024 * 1024

/** Speech to text with a time for each word. */
export const speechTranscribe = capability({
  id: 'speech.transcribe',
  path: '/v1/speech/transcribe',
  phrases: [
    { say: '* dictation voicemail voice memo note lyrics spoken words audio recording text stt said' },
    { say: 'transcribe|transcript' },
    { say: 'transcription' },
    { say: 'speech to text' },
    { say: 'what is said|spoken in' },
    { say: 'write down said|spoken' },
    { say: 'turn|convert voice|speech|recording|audio|memo|dictation into|to text' },
    { say: 'detect|recognise|recognize|find language', params: { language: 'auto' } },
  ],
  title: 'Transcribe speech',
  description:
    'Transcribes the speech in an audio or video recording, with the start and end of each word in seconds. Give ' +
    'either audio_url or audio_base64. A recording without speech (silence, noise, music without words) fails with ' +
    'no-result and is not charged. The limit is 4 hours. To distinguish speakers, use audio.transcribe.',
  input: Type.Object({
    audio_url: or(nullable(address(`${ADDRESS} Give either this or audio_base64.`)), null),
    audio_base64: or(
      nullable(
        Type.String({
          minLength: 1,
          description: 'The recording, Base64-encoded or as a data: URL, at most 24 MiB; give either this or audio_url.',
        }),
      ),
      null,
    ),
    language: languageField,
  }),
  output: Type.Object({
    transcript: Type.String({ description: 'The whole transcript.' }),
    confidence,
    language,
    words: Type.Array(
      Type.Object({
        word: Type.String({ description: 'The word in lower case, without punctuation.' }),
        start: seconds('Start time in seconds.'),
        end: seconds('End time in seconds.'),
        confidence: share('Confidence of the provider, from 0 to 1; null when it returns none.'),
        punctuated_word: Type.String({ description: 'The word as written in the transcript.' }),
      }),
      { description: 'The words in order; empty when the provider returns no times.' },
    ),
    duration_seconds: seconds('Duration of the recording in seconds.'),
  }),
  price: flat(2),
  work: 'media',
  timeoutMs: 300_000,
  bodyLimit: BODY_BYTES,
  vendors: speechVendors,
  requires: () => [audioPrepare],
  check: ({ audio_url: url, audio_base64: base64, language: spokenIn }) => [
    ...sourceViolations(url, base64),
    ...languageViolations(spokenIn),
  ],
  examples: [
    { title: 'A recording in English', params: { audio_url: 'https://example.com/talk.mp3' } },
    {
      title: 'A recording whose language is detected',
      params: { audio_url: 'https://example.com/interview.m4a', language: 'auto' },
    },
  ],
})

function sourceViolations(url: string | null, base64: string | null) {
  if (url !== null && base64 !== null) return [{ loc: ['audio_base64'], msg: 'must not be given together with audio_url' }]
  if (url !== null) return addressViolations(url, { loc: ['audio_url'], file: true })
  return base64 === null ? [{ loc: ['audio_url'], msg: 'is required unless audio_base64 is given', type: 'required' }] : []
}

/** Speech to text with speaker labels. */
export const audioTranscribe = capability({
  id: 'audio.transcribe',
  path: '/v1/audio/transcribe',
  phrases: [
    { say: '* conversation interview meeting minutes protocol speakers discussion podcast panel call dialogue spoke talk' },
    { say: 'who says|said|speaks|talks what|when' },
    { say: 'who is talking|speaking' },
    { say: 'which speaker said' },
    { say: 'tell|keep|separate|distinguish|identify speakers|voices' },
    { say: 'speaker labels|diarization|diarisation|names' },
    { say: 'diarize|diarise|diarization' },
    { say: 'transcribe conversation|interview|meeting|podcast|panel|call|discussion speakers' },
    { say: 'transcribe|transcript conversation|interview|meeting|podcast|discussion' },
  ],
  title: 'Transcribe audio with speaker labels',
  description:
    'Transcribes an audio or video recording with speaker diarization: utterances with speaker, text, start and end ' +
    'in seconds, and confidence. Speakers are numbered from 0 in order of first appearance. With speaker_labels ' +
    'false, every utterance has speaker 0. A recording without speech (silence, noise, music without words) fails ' +
    'with no-result and is not charged. The limit is 4 hours. For the times of single words, use speech.transcribe.',
  input: Type.Object({
    audio_url: address(ADDRESS),
    language: languageField,
    speaker_labels: or(Type.Boolean({ description: 'Whether to distinguish speakers.' }), true),
  }),
  output: Type.Object({
    transcript: Type.String({ description: 'The whole transcript.' }),
    confidence,
    language,
    duration_seconds: seconds('Duration of the recording in seconds.'),
    word_count: Type.Integer({ minimum: 0, description: 'Number of words in the transcript.' }),
    speaker_count: Type.Integer({ minimum: 1, description: 'Number of speakers found.' }),
    utterances: Type.Array(
      Type.Object({
        speaker: Type.Integer({ minimum: 0, description: 'Number of the speaker, from 0.' }),
        text: Type.String({ description: 'Text of the utterance.' }),
        start: seconds('Start time in seconds.'),
        end: seconds('End time in seconds.'),
        confidence: share('Mean confidence of its words, from 0 to 1; null when the provider returns none.'),
      }),
      { description: 'Utterances in order; an utterance ends at a pause or a change of speaker.' },
    ),
  }),
  price: flat(3),
  work: 'media',
  timeoutMs: 300_000,
  vendors: audioVendors,
  requires: () => [audioPrepare],
  check: ({ audio_url: url, language: spokenIn }) => [
    ...addressViolations(url, { loc: ['audio_url'], file: true }),
    ...languageViolations(spokenIn),
  ],
  examples: [
    { title: 'An interview with speaker labels', params: { audio_url: 'https://example.com/interview.mp3' } },
    {
      title: 'A video of a lecture, without speaker labels',
      params: { audio_url: 'https://example.com/lecture.mp4', speaker_labels: false },
    },
  ],
})
