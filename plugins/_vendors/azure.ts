import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Azure AI Document Intelligence. Its address is that of the resource and ends in /documentintelligence. */
export const azure = vendor({
  id: 'azure',
  title: 'Azure AI Document Intelligence',
  home: 'https://learn.microsoft.com/azure/ai-services/document-intelligence/prebuilt/invoice',
  needsUrl: true,
  secrets: { api_key: 'AZURE_DOCUMENT_INTELLIGENCE_KEY' },
  pace: { requests: 15, perMs: 1_000 },
  auth: (secret) => ({ headers: { 'ocp-apim-subscription-key': secret('api_key') } }),
  fault: ({ status, body }) =>
    status === 404
      ? new Fault('broken', 'azure has no such model or job: check CAPSTAN_VENDOR_AZURE_URL.', {
          internal: textAt(body, 'error', 'message'),
        })
      : undefined,
})
