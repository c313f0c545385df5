import { addressViolations } from '../_shared/address.js'
import { capability, flat, nullable, oneOf, or, port, Type } from '../../core/sdk/index.js'
import { audioPrepare, languageField, languageViolations, transcriptionAnswer, transcriptionQuestion } from '../transcription/contract.js'

/** Served by the vendors of transcription: words with times, and speakers where they distinguish them. */
export const subtitleVendors = port({ id: 'subtitles.generate', input: transcriptionQuestion, output: transcriptionAnswer })

/** Subtitles of a recording in the spoken language. */
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
  title: 'Generate subtitles',
  description:
    'Transcribes an audio or video recording and returns subtitles in SRT or WebVTT: at most two lines of 42 ' +
    'characters, broken at phrases, displayed for 0.8 to 7 seconds at a readable speed, with a dash at a change of ' +
    'speaker. A recording without speech (silence, noise, music without words) fails with no-result and is not ' +
    'charged. The limit is 4 hours.',
  input: Type.Object({
    audio_url: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'URL of the recording, http or https: audio or video in any common format, at most 4 hours.',
    }),
    language: languageField,
    format: or({ ...oneOf('srt', 'vtt'), description: 'srt: SubRip; vtt: WebVTT.' }, 'srt'),
  }),
  output: Type.Object({
    subtitle_content: Type.String({ description: 'Content of the subtitle file.' }),
    format: { ...oneOf('srt', 'vtt'), description: 'Format of the subtitles.' },
    language: nullable(Type.String({ description: 'Spoken language, ISO 639; null when unknown.' })),
    duration_seconds: Type.Number({ minimum: 0, description: 'Duration of the recording in seconds.' }),
    utterance_count: Type.Integer({ minimum: 0, description: 'Number of subtitles in the file.' }),
  }),
  price: flat(2),
  work: 'media',
  timeoutMs: 300_000,
  vendors: subtitleVendors,
  requires: () => [audioPrepare],
  check: ({ audio_url: url, language }) => [...addressViolations(url, { loc: ['audio_url'], file: true }), ...languageViolations(language)],
  examples: [
    { title: 'Subtitles of a lecture', params: { audio_url: 'https://example.com/lecture.mp4' } },
    {
      title: 'WebVTT subtitles of a film in Spanish',
      params: { audio_url: 'https://example.com/film.mp4', language: 'es', format: 'vtt' },
    },
  ],
})
