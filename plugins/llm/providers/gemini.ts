import { provider } from '../../../core/sdk/index.js'
import { chat } from '../contract.js'
import { gemini as vendor } from '../../_vendors/gemini.js'
import { ask, type Form, type Question } from '../ask.js'
import { takesFiles } from '../files.js'
import { hasRoom } from '../room.js'
import { schemaForm } from '../schema-form.js'

/** Gemini by generateContent; the core adds the key, so the library gets a placeholder. */
export const geminiChat = provider(chat, {
  vendor,
  rank: 30,
  serves: (question, { settings }) => takesFiles(question.files, settings.vision, 'pdf') && hasRoom(question, settings.context),
  run: (question, ctx) =>
    ask(
      question,
      ctx,
      async (fetch) => {
        const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
        return createGoogleGenerativeAI({ baseURL: ctx.baseUrl, apiKey: 'signed-by-the-core', fetch })(ctx.settings.model)
      },
      formOf(question),
    ),
})

/** The library drops value limits, and inlines references at each use. */
function formOf({ schema }: Question): Form {
  const { plain, whole } = schemaForm(schema)
  return !plain ? 'object' : whole ? 'schema' : 'described'
}
