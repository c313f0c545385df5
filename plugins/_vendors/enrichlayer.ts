import { Fault, vendor } from '../../core/sdk/index.js'

/** Enrich Layer, profiles by LinkedIn address. 202 is an answer that comes later, 403 an account without credits or a plan without the endpoint. */
export const enrichlayer = vendor({
  id: 'enrichlayer',
  title: 'Enrich Layer',
  home: 'https://enrichlayer.com/docs',
  baseUrl: 'https://enrichlayer.com/api/v2',
  secrets: { api_key: 'ENRICHLAYER_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: ({ status }) => {
    if (status === 202) return new Fault('busy', 'Enrich Layer has not finished yet.')
    return status === 403 ? new Fault('quota', 'The Enrich Layer account has no credits left, or its plan lacks this request.') : undefined
  },
})
