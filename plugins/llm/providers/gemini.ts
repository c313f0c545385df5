import { chat, provider } from '../../../core/sdk/index.js'
import { gemini as vendor } from '../../_vendors/gemini.js'
import { ask } from '../ask.js'

/** Gemini by generateContent; the key is put in by the core, so the library gets a placeholder. */
export const geminiChat = provider(chat, {
  vendor,
  rank: 30,
  run: (question, ctx) =>
    ask(question, ctx, async (fetch) => {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ baseURL: ctx.baseUrl, apiKey: 'signed-by-the-core', fetch })(ctx.settings.model)
    }),
})
