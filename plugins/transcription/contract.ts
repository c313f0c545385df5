import { addressViolations } from '../_shared/address.js'
import { capability, flat, nullable, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { spokenLanguage } from './language.js'

export { spokenLanguage } from './language.js'
export { isSpaced, isUnspaced } from './words.js'

const seconds = (description: string) => Type.Number({ minimum: 0, description })
const share = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, description }))

const recording = Type.Object({
  /** WAV: one channel of 16-bit samples, 16,000 a second. */
  file: scratchFile,
  /** Seconds. */
  duration: Type.Number({ exclusiveMinimum: 0 }),
  /** Where nobody speaks for 0.3 s or more, in order, in seconds. */
  pauses: Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() })),
  /** Whether anything in it sounds like a voice, as opposed to noise, tones and steady music. */
  voiced: Type.Boolean(),
})

/**
 * Decodes a recording of any format, a film too, for the vendors of transcription. A file without sound, and one longer than `audio_seconds`, is an
 * `invalid` Fault; a silent one is `missing`.
 */
export const audioPrepare = port({ id: 'audio.prepare', input: Type.Object({ file: scratchFile }), output: recording })

/** What vendors of transcription are asked, whatever capability it is for. */
export const transcriptionQuestion = Type.Object({
  audio: recording,
  /** ISO 639-1, else ISO 639-3; null to find out. */
  language: nullable(Type.String()),
  /** ISO 3166-1 in upper case. */
  region: nullable(Type.String()),
  /** Tell speakers apart, as far as the vendor can. */
  speakers: Type.Boolean(),
  /** Words without times are of no use. */
  timed: Type.Boolean(),
})

const spoken = Type.Object({
  /** As written, with its punctuation. */
  text: Type.String({ minLength: 1 }),
  /** Seconds from the beginning of the recording. */
  start: Type.Number({ minimum: 0 }),
  end: Type.Number({ minimum: 0 }),
  confidence: share('How sure the vendor is.'),
  /** Counted from 0 in the order in which they speak first; null when speakers were not separated. */
  speaker: nullable(Type.Integer({ minimum: 0 })),
})

/** What vendors of transcription answer. They have words or text: nothing said is a `missing` Fault, or null. */
export const transcriptionAnswer = Type.Object({
  text: Type.String({ minLength: 1 }),
  /** ISO 639-1, else ISO 639-3; null when the vendor did not say. */
  language: nullable(Type.String()),
  /** In order of time; empty when the vendor gives text alone. */
  words: Type.Array(spoken),
})

export type Recording = Static<typeof recording>
export type Question = Static<typeof transcriptionQuestion>
export type Answer = Static<typeof transcriptionAnswer>
export type SpokenWord = Static<typeof spoken>

export const speechVendors = port({ id: 'speech.transcribe', input: transcriptionQuestion, output: transcriptionAnswer })
export const audioVendors = port({ id: 'audio.transcribe', input: transcriptionQuestion, output: transcriptionAnswer })

/** The field of a caller that names a language. */
export const languageField = or(
  Type.String({
    pattern: '^[A-Za-z]{2,4}(?:[-_][A-Za-z0-9]{2,8}){0,3}$',
    'x-says': 'must be a language such as en, en_us or pt-BR, or auto',
    description: 'Language that is spoken, such as en, en_us or pt-BR; auto to find out.',
  }),
  'en',
)

/** What is wrong with a language. */
export function languageViolations(language: string) {
  if (spokenLanguage(language) !== undefined) return []
  return [{ loc: ['language'], msg: 'is no known language; give a code such as en, en_us or pt-BR, or auto', type: 'enum' }]
}

const address = (description: string) => Type.String({ minLength: 1, maxLength: 8192, description })
const ADDRESS = 'Address of the recording, http or https: audio or video of any usual format, at most 4 hours.'
const confidence = share('Mean confidence of the words by their length in time, from 0 to 1; null when the vendor gives none.')
const language = nullable(Type.String({ description: 'Language that is spoken, ISO 639; null when it is not known.' }))

/** Characters of Base64 for 24 MiB of audio, and the other fields. */
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
    'Writes down what is said in a recording, audio or video, with the time of each word. Give either audio_url or audio_base64. Times are seconds. ' +
    'Silence, noise and music without words are no-result, which is free. A recording has at most 4 hours; use audio.transcribe to tell speakers apart.',
  input: Type.Object({
    audio_url: or(nullable(address(`${ADDRESS} Give either this or audio_base64.`)), null),
    audio_base64: or(
      nullable(
        Type.String({
          minLength: 1,
          description: 'The recording in Base64, also as a data: address, at most 24 MiB; give either this or audio_url.',
        }),
      ),
      null,
    ),
    language: languageField,
  }),
  output: Type.Object({
    transcript: Type.String({ description: 'What is said.' }),
    confidence,
    language,
    words: Type.Array(
      Type.Object({
        word: Type.String({ description: 'The word in small letters, without punctuation.' }),
        start: seconds('When it begins, in seconds.'),
        end: seconds('When it ends, in seconds.'),
        confidence: share('How sure the vendor is of it, from 0 to 1; null when it does not say.'),
        punctuated_word: Type.String({ description: 'The word as it is written in the transcript.' }),
      }),
      { description: 'The words in order; empty when the vendor gives no times.' },
    ),
    duration_seconds: seconds('Length of the recording.'),
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
      title: 'A recording in a language that is to be found out',
      params: { audio_url: 'https://example.com/interview.m4a', language: 'auto' },
    },
  ],
})

function sourceViolations(url: string | null, base64: string | null) {
  if (url !== null && base64 !== null) return [{ loc: ['audio_base64'], msg: 'must not be given beside audio_url' }]
  if (url !== null) return addressViolations(url, { loc: ['audio_url'], file: true })
  return base64 === null ? [{ loc: ['audio_url'], msg: 'must be given, or audio_base64', type: 'required' }] : []
}

/** Speech to text with speakers. */
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
  title: 'Transcribe a conversation',
  description:
    'Writes down what is said in a recording, audio or video, and by whom: utterances with speaker, text, times in seconds and confidence. Speakers are ' +
    'numbers from 0 in the order in which they speak first. With speaker_labels false everything is speaker 0. Silence, noise and music without ' +
    'words are no-result, which is free. A recording has at most 4 hours. Use speech.transcribe for the times of single words.',
  input: Type.Object({
    audio_url: address(ADDRESS),
    language: languageField,
    speaker_labels: or(Type.Boolean({ description: 'Tell speakers apart.' }), true),
  }),
  output: Type.Object({
    transcript: Type.String({ description: 'What is said.' }),
    confidence,
    language,
    duration_seconds: seconds('Length of the recording.'),
    word_count: Type.Integer({ minimum: 0, description: 'Words of the transcript.' }),
    speaker_count: Type.Integer({ minimum: 1, description: 'Number of speakers found.' }),
    utterances: Type.Array(
      Type.Object({
        speaker: Type.Integer({ minimum: 0, description: 'Who speaks, from 0.' }),
        text: Type.String({ description: 'What is said.' }),
        start: seconds('When it begins, in seconds.'),
        end: seconds('When it ends, in seconds.'),
        confidence: share('Mean confidence of its words; null when the vendor gives none.'),
      }),
      { description: 'What is said in order; an utterance ends at a pause or where somebody else speaks.' },
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
    { title: 'Who says what in an interview', params: { audio_url: 'https://example.com/interview.mp3' } },
    { title: 'A lecture on video, one speaker', params: { audio_url: 'https://example.com/lecture.mp4', speaker_labels: false } },
  ],
})
