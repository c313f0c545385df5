import { Fault, handle } from '../../core/sdk/index.js'
import { extract, extractVendors } from './contract.js'
import { NO_MODEL } from './no-model.js'
import { readSource } from './source/read.js'

/** The schema is compiled and the source read before any vendor is asked, once for all of them. */
export const extractHandler = handle(extract, async ({ url, content, extraction_prompt: prompt, schema: given }, ctx) => {
  const schema = given === null ? null : (await ctx.callerSchema(given, { loc: ['schema'] })).schema
  if (schema === null && !ctx.llm.live) throw new Fault('missing', NO_MODEL)
  const source = await readSource({ url, content }, ctx)
  if (source.text.trim() === '') throw new Fault('missing', 'The source has no text.')
  const { text, facts, tables } = source
  const { extracted, truncated } = await ctx.call(extractVendors, {
    text,
    url,
    prompt,
    facts,
    tables,
    ...(schema === null ? {} : { schema: { ...schema } }),
  })
  return { extracted, source_url: url, content_length: text.length, truncated: truncated || source.truncated }
})
