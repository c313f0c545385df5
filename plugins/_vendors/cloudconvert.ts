import { vendor } from '../../core/sdk/index.js'

/** CloudConvert API v2. */
export const cloudconvert = vendor({
  id: 'cloudconvert',
  title: 'CloudConvert',
  home: 'https://cloudconvert.com/api/v2',
  baseUrl: 'https://api.cloudconvert.com/v2',
  secrets: { api_key: 'CLOUDCONVERT_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
})
