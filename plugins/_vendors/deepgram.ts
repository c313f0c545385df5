import { Fault, vendor } from '../../core/sdk/index.js'

/** Deepgram. The status is sufficient; the format of error bodies varies and is not parsed. */
export const deepgram = vendor({
  id: 'deepgram',
  title: 'Deepgram',
  home: 'https://developers.deepgram.com/reference/deepgram-api-overview',
  baseUrl: 'https://api.deepgram.com',
  secrets: { api_key: 'DEEPGRAM_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Token ${secret('api_key')}` } }),
  fault: ({ status }) => (status === 504 ? new Fault('busy', 'Deepgram did not answer in time.') : undefined),
})
