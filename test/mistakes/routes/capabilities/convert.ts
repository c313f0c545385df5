import { body, operation, refused } from '../attempt.js'

const file = (more: object): unknown => ({ file_url: '{site}/notes.txt', source_format: 'txt', ...more })

/** Files in another form. */
export const convertMistakes = operation(
  'POST /v1/files/convert',
  body({}, 'file_url', 'source_format', 'required'),
  body({ url: '{site}/notes.txt', source_format: 'txt' }, 'url', 'did you mean file_url?'),
  body({ file_url: '{site}/notes.txt', from: 'txt', to: 'pdf' }, 'from', 'to', 'source_format'),
  body(file({ format: 'pdf' }), 'format', 'target_format'),
  body(file({ target_format: 'pfd' }), 'target_format', 'pdf', 'GET /v1/files/formats'),
  body(file({ target_format: 'application/pdf' }), 'target_format', 'pdf'),
  body(file({ target_format: ['pdf', 'docx'] }), 'target_format', 'a text'),
  body(file({ target_format: 'txt' }), 'target_format', 'txt already'),
  body(file({ target_format: 'mp3' }), 'target_format', 'It can become'),
  body(file({ source_format: 'docx' }), 'source_format', 'no docx file'),
  body({ file_url: '{site}/dot.png', source_format: 'pdf', target_format: 'docx' }, 'source_format', 'png'),
  body({ file_url: '{site}/empty.pdf', source_format: 'pdf', target_format: 'txt' }, 'file_url', 'empty'),
  body({ file_url: '{site}/broken.pdf', source_format: 'pdf', target_format: 'txt' }, 'file_url'),
  body(file({ file_url: 'example.com/notes.txt' }), 'file_url', 'https://'),
  body(file({ file_url: '/tmp/notes.txt' }), 'file_url', 'https://', 'POST /v1/files'),
  body(file({ file_url: 'SGVsbG8gd29ybGQ=' }), 'file_url', 'https://', 'POST /v1/files'),
  body(file({ file_url: 'data:text/plain;base64,SGVsbG8=' }), 'file_url', 'https://', 'POST /v1/files'),
  refused(422, { body: file({ file_url: 'http://127.0.0.2/notes.txt' }) }, 'private'),
  refused(422, { body: file({ file_url: '{site}/gone' }) }, '404'),
  refused(422, { body: file({ file_url: '{url}/files/art_unknown/a.txt?expires=1700000000&signature=abc' }) }, 'file_url', 'link'),
)
