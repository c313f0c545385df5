import { body, operation } from '../attempt.js'

const recording = (more: object): unknown => ({ audio_url: 'https://example.com/talk.mp3', ...more })
const mistakes = [
  body({}, 'audio_url'),
  body({ url: 'https://example.com/talk.mp3' }, 'url', 'audio_url'),
  body({ audio_url: 'talk.mp3' }, 'audio_url', 'https://', 'POST /v1/files'),
  body({ audio_url: ['https://example.com/talk.mp3'] }, 'audio_url', 'a text'),
  body(recording({ language: 'english' }), 'language'),
  body(recording({ language: 'xx' }), 'language', 'not a known language'),
  body(recording({ lang: 'en' }), 'lang', 'language'),
]

/** Recordings that are written down, and subtitles of them. */
export const recordingMistakes = [
  ...operation(
    'POST /v1/speech/transcribe',
    ...mistakes,
    body(recording({ audio_base64: 'UklGRg==' }), 'audio_url', 'audio_base64'),
    body({ audio_base64: 'not base64!' }, 'audio_base64'),
    body({ audio_base64: '' }, 'audio_base64'),
  ),
  ...operation(
    'POST /v1/audio/transcribe',
    ...mistakes,
    body(recording({ speaker_labels: 'true' }), 'speaker_labels', 'without quotes'),
    body(recording({ speakers: 2 }), 'speakers', 'not known'),
    body({ audio_base64: 'UklGRg==' }, 'audio_base64', 'audio_url'),
  ),
  ...operation(
    'POST /v1/subtitles/generate',
    ...mistakes,
    body(recording({ format: 'ass' }), 'format', '"srt"', '"vtt"'),
    body(recording({ format: '.srt' }), 'format', '"srt"'),
    body(recording({ max_chars: 42 }), 'max_chars', 'not known'),
  ),
]
