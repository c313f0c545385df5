import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** AssemblyAI. An account without funds gets 400, like invalid input. */
export const assemblyai = vendor({
  id: 'assemblyai',
  title: 'AssemblyAI',
  home: 'https://www.assemblyai.com/docs/api-reference/overview',
  baseUrl: 'https://api.assemblyai.com',
  secrets: { api_key: 'ASSEMBLYAI_API_KEY' },
  pace: { requests: 20_000, perMs: 300_000 },
  auth: (secret) => ({ headers: { authorization: secret('api_key') } }),
  fault: ({ status, body }) => {
    if (status === 400 && /top up/i.test(textAt(body, 'error'))) return new Fault('quota', 'The AssemblyAI account has no money left.')
    if (status === 404) return new Fault('broken', 'AssemblyAI has no such transcript or path.')
    return status === 504 ? new Fault('busy', 'AssemblyAI did not answer in time.') : undefined
  },
})
