import { body, operation, query, refused } from '../attempt.js'

const text = (more: object): unknown => ({ text: 'Good day.', ...more })

/** Texts to be spoken. */
export const speechMistakes = [
  ...operation(
    'POST /v1/speech/synthesize',
    body({}, 'text', 'required'),
    body({ input: 'Good day.', voice: 'alloy' }, 'input', 'text', 'voice'),
    body({ text: '' }, 'text'),
    body({ text: ' … 😀' }, 'text', 'a letter or a digit'),
    body({ text: 'a'.repeat(2_001) }, 'text', '2000'),
    body({ text: ['Good day.'] }, 'text', 'a text'),
    body(text({ provider: 'google' }), 'provider', 'google', 'live'),
    body(text({ voice_id: 'Rachel' }), 'voice_id', 'Rachel', 'GET /v1/speech/voices'),
    body(text({ stability: 50 }), 'stability'),
    body(text({ similarity_boost: '0.5' }), 'similarity_boost', 'quotes'),
    body(text({ format: 'mp3' }), 'format', 'not known'),
    refused(404, { path: '/v1/audio/speech', body: text({}) }, 'GET /v1/openapi.json'),
  ),
  ...operation(
    'GET /v1/speech/voices',
    query('lang=de', 'lang', 'language'),
    query('provider=google', 'provider', 'google', 'live'),
    query('language=de&language=fr', 'language', 'more than once'),
    query('voice=alloy', 'voice', 'not known'),
    refused(404, { path: '/v1/voices' }, 'did you mean /v1/speech/voices?'),
  ),
]
