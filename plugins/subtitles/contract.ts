import { addressViolations } from '../_shared/address.js'
import { capability, flat, nullable, oneOf, or, port, Type } from '../../core/sdk/index.js'
import { audioPrepare, languageField, languageViolations, transcriptionAnswer, transcriptionQuestion } from '../transcription/contract.js'

/** Served by the vendors of transcription: words with times, and speakers where they distinguish them. */
export const subtitleVendors = port({ id: 'subtitles.generate', input: transcriptionQuestion, output: transcriptionAnswer })

/** Subtitles of a recording in its own language. */
export const subtitlesGenerate = capability({
  id: 'subtitles.generate',
  path: '/v1/subtitles/generate',
  phrases: [
    { say: '* captions subtitles srt vtt closed film movie video deaf' },
    { say: 'subtitle|caption' },
    { say: 'make|generate|create|add subtitles|captions|titles' },
    { say: 'srt', params: { format: 'srt' } },
    { say: 'webvtt', params: { format: 'vtt' } },
    { say: 'vtt', params: { format: 'vtt' } },
  ],
  title: 'Make subtitles',
  description:
    'Transcribes a recording, audio or video, and makes subtitles of it in SRT or WebVTT: at most two lines of 42 characters, broken at phrases, on screen ' +
    'for 0.8 to 7 seconds at a speed that can be read, with a dash where another speaker begins. Silence, noise and music without words are no-result, ' +
    'which is free. A recording has at most 4 hours.',
  input: Type.Object({
    audio_url: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'Address of the recording, http or https: audio or video of any usual format, at most 4 hours.',
    }),
    language: languageField,
    format: or({ ...oneOf('srt', 'vtt'), description: 'srt: SubRip; vtt: WebVTT.' }, 'srt'),
  }),
  output: Type.Object({
    subtitle_content: Type.String({ description: 'The file of subtitles.' }),
    format: { ...oneOf('srt', 'vtt'), description: 'Its format.' },
    language: nullable(Type.String({ description: 'Language that is spoken, ISO 639; null when it is not known.' })),
    duration_seconds: Type.Number({ minimum: 0, description: 'Length of the recording.' }),
    utterance_count: Type.Integer({ minimum: 0, description: 'Subtitles in the file.' }),
  }),
  price: flat(2),
  work: 'media',
  timeoutMs: 300_000,
  vendors: subtitleVendors,
  requires: () => [audioPrepare],
  check: ({ audio_url: url, language }) => [...addressViolations(url, { loc: ['audio_url'], file: true }), ...languageViolations(language)],
  examples: [
    { title: 'Subtitles of a lecture', params: { audio_url: 'https://example.com/lecture.mp4' } },
    { title: 'WebVTT of a film in Spanish', params: { audio_url: 'https://example.com/film.mp4', language: 'es', format: 'vtt' } },
  ],
})
