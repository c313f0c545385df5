import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

const BUSY = new Set(['too_many_concurrent_requests', 'system_busy'])

/** ElevenLabs. `detail.status` has the reason: an account without credits gets 401, like a wrong key. */
export const elevenlabs = vendor({
  id: 'elevenlabs',
  title: 'ElevenLabs',
  home: 'https://elevenlabs.io/docs/api-reference/introduction',
  baseUrl: 'https://api.elevenlabs.io',
  secrets: { api_key: 'ELEVENLABS_API_KEY' },
  auth: (secret) => ({ headers: { 'xi-api-key': secret('api_key') } }),
  fault: ({ body }) => {
    const status = textAt(body, 'detail', 'status')
    if (status === 'quota_exceeded') return new Fault('quota', 'The ElevenLabs account has no credits left.')
    if (status === 'invalid_api_key') return new Fault('credentials', 'ElevenLabs does not accept the key.')
    if (status === 'voice_not_found') return new Fault('invalid', 'ElevenLabs has no such voice.', { loc: ['voice_id'] })
    if (status === 'max_character_limit_exceeded') return new Fault('invalid', 'The text is too long for the model at ElevenLabs.')
    if (BUSY.has(status)) return new Fault('busy', 'ElevenLabs accepts no more concurrent requests.')
    return undefined
  },
})
