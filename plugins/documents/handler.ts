import { Fault, handle } from '../../core/sdk/index.js'
import { extract, extractVendors } from './contract.js'
import { callerSchema } from './schema/caller-schema.js'
import { readSource } from './source/read.js'

/** The schema is compiled and the source read once, before any vendor is called. */
export const extractHandler = handle(extract, async ({ url, content, extraction_prompt: prompt, schema: given }, ctx) => {
  const schema = given === null ? null : (await callerSchema(ctx, given, ['schema'])).schema
  const source = await readSource({ url, content }, ctx)
  if (source.text.trim() === '') throw new Fault('missing', 'The source has no text.')
  const { text, facts, tables } = source
  const question = { text, url, prompt, facts, tables, schema: schema === null ? null : { ...schema } }
  const { extracted, truncated } = await ctx.call(extractVendors, question)
  return { extracted, source_url: url, content_length: text.length, truncated: truncated || source.truncated }
})
