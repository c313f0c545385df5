import { Fault, or, Type, vendor } from '../../core/sdk/index.js'
import { modelSettings } from './model-settings.js'
import { textAt } from './text-at.js'

const UNPAID = new Set(['insufficient_quota', 'credit_balance_exhausted'])
const name = (value: string, description: string) => or(Type.String({ minLength: 1, maxLength: 200, description }), value)

/**
 * OpenAI or, with a configured address, any server with its API: Ollama, vLLM, LM Studio, LocalAI, hosted ones. The
 * address ends in /v1.
 */
export const openaiCompatible = vendor({
  id: 'openai-compatible',
  title: 'OpenAI or a compatible server',
  home: 'https://developers.openai.com/docs',
  baseUrl: 'https://api.openai.com/v1',
  secrets: { api_key: 'OPENAI_API_KEY' },
  keylessWithUrl: true,
  settings: Type.Object({
    model: name('gpt-4.1-mini', 'Chat model.'),
    ...modelSettings(1_000_000),
  }),
  auth: (secret) => {
    const key = secret('api_key')
    return key === '' ? {} : { headers: { authorization: `Bearer ${key}` } }
  },
  fault: ({ status, body }) => {
    const code = textAt(body, 'error', 'code') || textAt(body, 'error', 'type')
    if (status === 429 && (UNPAID.has(code) || UNPAID.has(textAt(body, 'error', 'type'))))
      return new Fault('quota', 'The account at the model server is used up.')
    if (status === 404)
      return new Fault(
        'broken',
        'The model server has no such model or path: check CAPSTAN_OPENAI_COMPATIBLE_MODEL or the setting of the capability, and the address.',
      )
    if (refusesForm(status, body))
      return new Fault(status < 500 ? 'invalid' : 'broken', 'The model server refused the request.', { loc: ['schema'] })
    return undefined
  },
})

/** True when the refusal may be due to the response format; some servers return an internal error when they cannot build a grammar. */
function refusesForm(status: number, body: unknown): boolean {
  const message = (textAt(body, 'error', 'message') || textAt(body, 'error')).toLowerCase()
  return (
    [400, 415, 422, 501].includes(status) ||
    (status === 500 && ['schema', 'grammar', 'response_format'].some((word) => message.includes(word)))
  )
}
