import { Fault, vendor } from '../../core/sdk/index.js'

/** Zyte API. 520 means that the target kept refusing Zyte. */
export const zyte = vendor({
  id: 'zyte',
  title: 'Zyte API',
  home: 'https://docs.zyte.com/zyte-api/',
  baseUrl: 'https://api.zyte.com/v1',
  secrets: { api_key: 'ZYTE_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Basic ${Buffer.from(`${secret('api_key')}:`).toString('base64')}` } }),
  fault: ({ status }) => {
    if (status === 451) return new Fault('blocked', 'Zyte does not open this address')
    if (status === 520) return new Fault('blocked', 'the page refused every try of Zyte')
    return undefined
  },
})
