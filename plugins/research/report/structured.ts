import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { tokensOf } from '../../_shared/tokens.js'
import { extract } from '../../documents/contract.js'
import { chat } from '../../llm/contract.js'
import type { Budget } from '../budget.js'
import type { ScoredPassage } from '../rank/rank.js'

/** Characters of passages from which an object is extracted: one part of a text for the model. */
const SHOWN = 40_000
/** One request and one repair. */
const QUESTIONS = 2
const ANSWER_TOKENS = 8_000

interface Wanted {
  readonly query: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly passages: readonly ScoredPassage[]
  readonly budget: Budget
  readonly withinMs: number
}

/**
 * An object for a caller's schema, filled from the best passages by documents.extract, so that it contains only what
 * they state; null when they do not fill it.
 */
export async function structured(
  ctx: HandlerContext,
  { query, schema, passages, budget, withinMs }: Wanted,
): Promise<Record<string, unknown> | null> {
  const content = shownOf(passages)
  const tokens = QUESTIONS * (tokensOf(content) + tokensOf(JSON.stringify(schema)) + ANSWER_TOKENS)
  if (content === '' || withinMs <= 0) return null
  if (ctx.has(chat) && !(budget.take('tokens', tokens) && budget.take('modelCalls', QUESTIONS))) {
    ctx.note('structured_output: the budget of the language model was used up.')
    return null
  }
  const faults: Fault[] = []
  const found = await ctx.aside((context) => context.call(extract, { content, extraction_prompt: query, schema: { ...schema } }), {
    withinMs,
    onFailure: (fault) => void faults.push(fault),
  })
  const [fault] = faults
  if (fault?.kind === 'invalid')
    throw new Fault('invalid', fault.message, { loc: ['output_schema', ...(fault.loc ?? []).slice(1)], cause: fault })
  if (found === null) ctx.note(`structured_output: the sources did not fill output_schema. ${fault?.message ?? ''}`.trim())
  return found?.extracted ?? null
}

function shownOf(passages: readonly ScoredPassage[]): string {
  let room = SHOWN
  const shown = passages.flatMap(({ passage, source }) => {
    const text = [source.title, ...passage.headings, passage.text].join('\n')
    room -= text.length + 2
    return room < 0 ? [] : [text]
  })
  return shown.join('\n\n')
}
