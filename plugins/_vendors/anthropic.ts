import { Fault, or, Type, vendor } from '../../core/sdk/index.js'
import { modelSettings } from './model-settings.js'
import { textAt } from './text-at.js'

/** Anthropic. A reached spending limit is a 429 with its own code; overload is 529. */
export const anthropic = vendor({
  id: 'anthropic',
  title: 'Anthropic',
  home: 'https://platform.claude.com/docs/en/api/messages',
  baseUrl: 'https://api.anthropic.com',
  secrets: { api_key: 'ANTHROPIC_API_KEY' },
  headers: { 'anthropic-version': '2023-06-01' },
  settings: Type.Object({
    model: or(Type.String({ minLength: 1, maxLength: 200, description: 'Chat model.' }), 'claude-haiku-4-5'),
    ...modelSettings(200_000),
  }),
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, body }) => {
    if (status === 429 && textAt(body, 'error', 'details', 'error_code') === 'enforced_spend_limit_reached')
      return new Fault('quota', 'The spending limit of the anthropic account is reached.')
    if (status === 404) return new Fault('broken', 'anthropic has no such model: check CAPSTAN_ANTHROPIC_MODEL.')
    return status === 529 || status === 504 ? new Fault('busy', 'anthropic is overloaded.') : undefined
  },
})
