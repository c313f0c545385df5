import { Fault, handle, type Given, type HandlerContext } from '../../core/sdk/index.js'
import { extract, extractVendors, type Extracted } from './contract.js'
import { readSource } from './source/read.js'

/** The schema is compiled and the source read before any vendor is asked, once for all of them. */
export const extractHandler = handle(extract, async ({ url, content, extraction_prompt: prompt, schema: given }, ctx) => {
  const schema = given === null ? null : (await ctx.callerSchema(given, { loc: ['schema'] })).schema
  const source = await readSource({ url, content }, ctx)
  if (source.text.trim() === '') throw new Fault('missing', 'The source has no text.')
  const { text, facts, tables } = source
  const { extracted, truncated } = await asked({ text, url, prompt, facts, tables, schema: schema === null ? null : { ...schema } }, ctx)
  return { extracted, source_url: url, content_length: text.length, truncated: truncated || source.truncated }
})

/** That structured data has no answer says nothing of the text when the models that would have read it have just failed. */
async function asked(question: Given<typeof extractVendors.input>, ctx: HandlerContext): Promise<Extracted> {
  const live = ctx.llm.live
  try {
    return await ctx.call(extractVendors, question)
  } catch (error) {
    if (!live || ctx.llm.live || !Fault.is(error) || error.kind !== 'missing') throw error
    throw new Fault('busy', `The language models cannot be used at the moment. ${error.message}`, { cause: error })
  }
}
