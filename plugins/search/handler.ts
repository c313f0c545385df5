import { Fault, handle, type HandlerContext } from '../../core/sdk/index.js'
import { answer as answering, search, serp, type Answered, type Question, type Results } from './contract.js'
import { ranked } from './result.js'

/** serp asks the engines, ai the vendors that answer, deep both. A call for an answer that has none is `missing`, and costs nothing. */
export const searchHandler = handle(search, async ({ mode, ...question }, ctx) => {
  if (mode === 'serp') return { answer: null, citations: [], ...(await ctx.call(serp, question)) }
  if (mode === 'ai') return withoutMethod(await ctx.call(answering, question))
  return await deep(question, ctx)
})

/**
 * Both at once where the first vendor that answers searches by itself. Every other one is given the results, so that no engine is asked for
 * the same twice; they stand in for the search of a vendor that failed, too.
 */
async function deep(question: Question, ctx: HandlerContext) {
  const alone = { ...question, own_search: true }
  const searchers = ctx.providers(answering).map((vendor) => vendor.serves(alone))
  const early = searchers[0] === true
  const [raw, own] = await Promise.allSettled([ctx.call(serp, question), early ? ctx.call(answering, alone) : null])
  const answered = own.status === 'fulfilled' ? own.value : null
  if (raw.status === 'rejected') {
    const late = answered ?? (!early && searchers.includes(true) ? await ctx.call(answering, alone) : null)
    if (late === null || late.organic_results.length === 0) throw raw.reason
    return withoutMethod(late)
  }
  return merged(raw.value, answered ?? (await answerOver(raw.value, question, ctx)), question.num_results)
}

async function answerOver(results: Results, question: Question, ctx: HandlerContext): Promise<Answered> {
  try {
    return await ctx.call(answering, { ...question, results })
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'missing') throw error
    const count = results.organic_results.length
    throw new Fault('missing', `No answer could be put together from ${count} results; mode serp gives the results alone.`, {
      cause: error,
    })
  }
}

function withoutMethod({ answer, citations, organic_results, knowledge_graph, featured_snippet }: Answered) {
  return { answer, citations, organic_results, knowledge_graph, featured_snippet }
}

function merged(raw: Results, answered: Answered, wanted: number) {
  return {
    answer: answered.answer,
    citations: answered.citations,
    organic_results: ranked([...raw.organic_results, ...answered.organic_results], wanted),
    knowledge_graph: raw.knowledge_graph ?? answered.knowledge_graph,
    featured_snippet: raw.featured_snippet ?? answered.featured_snippet,
  }
}
