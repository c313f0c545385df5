import { Fault, provider } from '../../../core/sdk/index.js'
import { chat } from '../contract.js'
import { openaiCompatible as vendor } from '../../_vendors/openai-compatible.js'
import { ask, type Form } from '../ask.js'
import { takesFiles } from '../files.js'
import { hasRoom } from '../room.js'
import type { Transport } from '../transport.js'

const FORMS: readonly Form[] = ['schema', 'object', 'text']

/**
 * OpenAI and compatible servers. A server that does not support a JSON schema gets a request for any JSON object,
 * then for text. Whether the operator's own server accepts pictures is a setting.
 */
export const openaiCompatibleChat = provider(chat, {
  vendor,
  rank: 10,
  serves: (question, { settings, baseUrl }) =>
    takesFiles(question.files, settings.vision, isOfficial(baseUrl) ? 'pdf' : 'off') && hasRoom(question, settings.context),
  run: async (question, ctx) => {
    const official = isOfficial(ctx.baseUrl)
    const make = (form: Form) => async (fetch: Transport['fetch']) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const settings = { name: vendor.id, baseURL: ctx.baseUrl, fetch, supportsStructuredOutputs: form === 'schema' }
      return createOpenAICompatible({ ...settings, ...(official ? { transformRequestBody: renamed } : {}) }).chatModel(ctx.settings.model)
    }
    if (question.schema === null) return await ask(question, ctx, make('text'))
    for (const form of FORMS) {
      try {
        const answer = await ask(question, ctx, make(form), form)
        if (answer !== null) return answer
      } catch (error) {
        if (!Fault.is(error) || error.loc?.[0] !== 'schema') throw error
        if (form === 'text') throw refused(error)
      }
      if (form !== 'text') ctx.log('the request is repeated in a simpler form', { refused: form })
    }
    return null
  },
})

function isOfficial(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === 'api.openai.com'
}

/** Refused in every form, so the form is not the reason and no field is named. */
function refused(cause: Fault): Fault {
  const { kind, message, internal, status } = cause
  return new Fault(kind, message, { cause, ...(internal === undefined ? {} : { internal }), ...(status === undefined ? {} : { status }) })
}

/** OpenAI's own name of the limit; its newer models refuse the name that compatible servers use. */
function renamed({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return limit === undefined ? body : { ...body, max_completion_tokens: limit }
}
