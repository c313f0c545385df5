import { Fault, retryAfterOf, vendor } from '../../core/sdk/index.js'

/** Seconds before a pending result is requested again. */
const PAUSE_S = 3

/** Enrich Layer, profiles by LinkedIn address. 202 is a pending result, 403 an account without credits or a plan without the endpoint. */
export const enrichlayer = vendor({
  id: 'enrichlayer',
  title: 'Enrich Layer',
  home: 'https://enrichlayer.com/docs',
  baseUrl: 'https://enrichlayer.com/api/v2',
  secrets: { api_key: 'ENRICHLAYER_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status, headers }) => {
    if (status === 202) {
      const seconds = retryAfterOf(headers['retry-after'], Date.now()) ?? PAUSE_S
      return new Fault('busy', 'Enrich Layer has not finished yet.', { retryAfterSeconds: seconds, unavailable: true })
    }
    return status === 403 ? new Fault('quota', 'The Enrich Layer account has no credits left, or its plan lacks this request.') : undefined
  },
})
