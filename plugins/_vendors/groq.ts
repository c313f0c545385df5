import { Fault, vendor } from '../../core/sdk/index.js'

/** Groq. Status 498 means that the capacity of the tier is exhausted for now. */
export const groq = vendor({
  id: 'groq',
  title: 'Groq',
  home: 'https://console.groq.com/docs/speech-to-text',
  baseUrl: 'https://api.groq.com/openai/v1',
  secrets: { api_key: 'GROQ_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status }) => {
    if (status === 404) return new Fault('broken', 'Groq has no such model: check CAPSTAN_TRANSCRIPTION_GROQ_MODEL.')
    if (status === 424) return new Fault('broken', 'A part of Groq failed.')
    return status === 498 || status === 499 ? new Fault('busy', 'Groq has no capacity now.') : undefined
  },
})
