import { Fault, vendor } from '../../core/sdk/index.js'

/** Veryfi. 499 and 504 are timeouts. */
export const veryfi = vendor({
  id: 'veryfi',
  title: 'Veryfi',
  home: 'https://docs.veryfi.com/api/receipts-invoices/process-a-document/',
  baseUrl: 'https://api.veryfi.com/api/v8/partner',
  secrets: { client_id: 'VERYFI_CLIENT_ID', username: 'VERYFI_USERNAME', api_key: 'VERYFI_API_KEY' },
  auth: (secret) => ({
    headers: { 'client-id': secret('client_id'), authorization: `apikey ${secret('username')}:${secret('api_key')}` },
  }),
  fault: ({ status }) => (status === 499 || status === 504 ? new Fault('busy', 'veryfi timed out.') : undefined),
})
