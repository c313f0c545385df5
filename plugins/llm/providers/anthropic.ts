import { provider } from '../../../core/sdk/index.js'
import { chat } from '../contract.js'
import { anthropic as vendor } from '../../_vendors/anthropic.js'
import { ask } from '../ask.js'
import { takesFiles } from '../files.js'
import { hasRoom } from '../room.js'
import { schemaForm } from '../schema-form.js'

/** Claude by the Messages API; the core adds the key, so the library gets a placeholder. */
export const anthropicChat = provider(chat, {
  vendor,
  rank: 20,
  serves: (question, { settings }) => takesFiles(question.files, settings.vision, 'pdf') && hasRoom(question, settings.context),
  run: (question, ctx) =>
    ask(
      question,
      ctx,
      async (fetch) => {
        const { createAnthropic } = await import('@ai-sdk/anthropic')
        return createAnthropic({ baseURL: `${ctx.baseUrl}/v1`, apiKey: 'signed-by-the-core', fetch })(ctx.settings.model)
      },
      // Its schemas do not support maps: every object is closed.
      schemaForm(question.schema).plain ? 'schema' : 'text',
    ),
})
