import { Fault, type ProviderContext, type Static } from '../../../core/sdk/index.js'
import type { Extracted, ExtractQuestion } from '../contract.js'
import { callerSchema } from '../schema/caller-schema.js'
import type { settings } from '../settings.js'
import type { Settled, SettleInput } from '../work/settle.js'
import { looseSchema } from './loose-schema.js'
import { ModelParts } from './model-parts.js'
import { partsOf } from './parts.js'
import { documentOf, promptOf, tokensAround } from './question.js'
import { Accepted } from './accepted.js'

const SETTLE = new URL('../work/settle.js', import.meta.url)
const SETTLE_LIMITS = { timeoutMs: 10_000, heapMb: 256 }
/** Tokens of an answer, at most a quarter of the context. */
const MAX_TOKENS = 8_000
/** With room for less text, a model is not used. */
const LEAST_TOKENS = 200

/** Limit of one vendor's try: several parts, some in parallel, and a repair. */
export const TRY_MS = 90_000

type Settings = Static<typeof settings> & { readonly context: number }

/**
 * The data that one vendor's model extracts from a source. Throws `missing` when it finds nothing, or nothing that
 * matches the schema and the source; `inconclusive` when it did not answer for every part.
 */
export async function modelExtract(question: ExtractQuestion, ctx: ProviderContext<Settings>, vendor: string): Promise<Extracted> {
  const { chunk_tokens: chunk, chunks, context } = ctx.settings
  const schema = question.schema === null ? null : await callerSchema(ctx, question.schema, ['schema'])
  const loose = schema === null ? null : looseSchema(schema.schema)
  const prompt = promptOf(question)
  const maxTokens = Math.min(MAX_TOKENS, Math.floor(context / 4))
  const room = Math.min(chunk, context - maxTokens - tokensAround(prompt, loose))
  if (room < LEAST_TOKENS)
    throw new Fault('missing', `The context of the language model (${String(context)} tokens) has no room for the schema and a text.`, {
      inconclusive: true,
    })
  const { parts, truncated } = partsOf(documentOf(question), room, chunks)
  if (truncated)
    ctx.note(
      `The text is longer than ${String(chunks)} parts of ${String(room)} tokens, and was read up to there (plugins.documents.chunks, chunk_tokens).`,
    )
  const model = new ModelParts(ctx, { vendor, prompt, maxTokens, schema: loose ?? { type: 'object' } })
  const { answers, missed } = await model.all(parts, schema === null)
  if (missed > 0)
    ctx.note(`The language model returned no usable answer about ${String(missed)} of ${String(parts.length)} parts of the text.`)
  const source = parts.join('\n')
  const settle = async (given: readonly unknown[]): Promise<Settled> => {
    const input: SettleInput = { answers: given, schema: schema?.schema ?? null, source, url: question.url, prompt: question.prompt }
    return await ctx.work<Settled>(SETTLE, input, SETTLE_LIMITS)
  }
  const accepted = new Accepted(ctx, { schema, settle, inconclusive: missed > 0, repair: (wrong) => model.again(parts, wrong) })
  const extracted = await accepted.from(answers)
  return { extracted: { ...extracted }, truncated: truncated || missed > 0 }
}
