import { Fault, nullable, or, oneOf, Type, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

const name = (description: string) => or(nullable(Type.String({ minLength: 1, pattern: '^[A-Za-z0-9._:-]+$', description })), null)

/** Google Document AI with the project's invoice processor. */
export const google = vendor({
  id: 'google',
  title: 'Google Document AI',
  home: 'https://cloud.google.com/document-ai/docs/invoice-parser',
  baseUrl: 'https://us-documentai.googleapis.com/v1',
  hosts: { eu: 'https://eu-documentai.googleapis.com/v1', token: 'https://oauth2.googleapis.com' },
  secrets: { credentials: 'GOOGLE_DOCUMENT_AI_CREDENTIALS' },
  settings: Type.Object({
    project: name('Project of the processor; null for none.'),
    processor: name('Id of the invoice processor; null for none.'),
    location: or({ ...oneOf('us', 'eu'), description: 'Where the processor is; any other place by its address.' }, 'us'),
  }),
  pace: { requests: 600, perMs: 60_000 },
  fault: ({ status, body }) => {
    if (status === 404) return new Fault('broken', 'google has no such processor: check CAPSTAN_GOOGLE_PROJECT, _PROCESSOR and _LOCATION.')
    if (status === 400 && textAt(body, 'error') === 'invalid_grant')
      return new Fault('credentials', 'google does not accept the service account in GOOGLE_DOCUMENT_AI_CREDENTIALS.')
    return undefined
  },
})
