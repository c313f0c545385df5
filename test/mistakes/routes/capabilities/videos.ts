import { body, operation } from '../attempt.js'

const video = (more: object): unknown => ({ url: 'https://example.com/watch/1', ...more })
const mistakes = [
  body({}, 'url', 'required'),
  body({ video_url: 'https://example.com/watch/1' }, 'video_url', 'url'),
  body({ url: 'example.com/watch/1' }, 'url', 'https://'),
  body({ url: '--exec=reboot' }, 'url', 'https://'),
  body({ url: 'file:///etc/passwd' }, 'url', 'http://'),
  body({ url: ['https://example.com/watch/1'] }, 'url', 'a text'),
]

/** Videos that are inspected and downloaded. */
export const videoMistakes = [
  ...operation('POST /v1/video/info', ...mistakes, body(video({ format: 'mp4' }), 'format', 'not known')),
  ...operation(
    'POST /v1/video/download',
    ...mistakes,
    body(video({ quality: 720 }), 'quality'),
    body(video({ quality: '720p' }), 'quality'),
    body(video({ quality: '100' }), 'quality', '144'),
    body(video({ quality: 'audio', format: 'mp4' }), 'format', 'mp3'),
    body(video({ format: 'webm' }), 'format', '"mp4"', '"mp3"'),
  ),
]
