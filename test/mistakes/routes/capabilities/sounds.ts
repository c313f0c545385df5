import { body, operation, refused } from '../attempt.js'

const sound = (more: object): unknown => ({ prompt: 'rain', ...more })

/** Sounds to be made. */
export const soundMistakes = operation(
  'POST /v1/sounds/generate',
  body({}, 'prompt', 'required'),
  body({ text: 'rain', duration: 3 }, 'text', 'prompt'),
  body({ prompt: '' }, 'prompt'),
  body({ prompt: ' … 🌧' }, 'prompt', 'a letter or a digit'),
  body({ prompt: 'a'.repeat(1_001) }, 'prompt', '1000'),
  body(sound({ duration_seconds: 0.4 }), 'duration_seconds', '0.5'),
  body(sound({ duration: 22.1 }), 'duration', '22'),
  body(sound({ duration: 3, duration_seconds: 4 }), 'duration', 'duration_seconds', 'differ'),
  body(sound({ duration_seconds: '5' }), 'duration_seconds', 'quotes'),
  body(sound({ prompt_influence: 30 }), 'prompt_influence', '1'),
  body(sound({ output_format: 'mp3' }), 'output_format', 'mp3_44100_128'),
  body(sound({ loop: true }), 'loop', 'not known'),
  refused(404, { path: '/v1/sound-generation', body: sound({}) }, 'GET /v1/openapi.json'),
)
