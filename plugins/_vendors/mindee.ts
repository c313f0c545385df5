import { Fault, nullable, or, Type, vendor } from '../../core/sdk/index.js'

/** Mindee's V2 platform, whose keys differ from V1. The model is created in the account, for invoices. */
export const mindee = vendor({
  id: 'mindee',
  title: 'Mindee',
  home: 'https://docs.mindee.com',
  baseUrl: 'https://api-v2.mindee.net',
  secrets: { api_key: 'MINDEE_API_KEY' },
  settings: Type.Object({
    model_id: or(nullable(Type.String({ minLength: 1, description: 'Id of the invoice model of the account; null for none.' })), null),
  }),
  pace: { requests: 200, perMs: 60_000 },
  auth: (secret) => ({ headers: { authorization: secret('api_key') } }),
  fault: ({ status }) =>
    status === 404 ? new Fault('broken', 'mindee has no such model or job: check CAPSTAN_MINDEE_MODEL_ID.') : undefined,
})
