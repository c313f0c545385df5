import { handle } from '../../core/sdk/index.js'
import { answer as answering, search, serp, type Answered, type Results } from './contract.js'
import { ranked } from './result.js'

/** serp asks the engines, ai the vendors that answer, deep both at once; results stand in for an answer's own search that failed. */
export const searchHandler = handle(search, async ({ mode, ...question }, ctx) => {
  if (mode === 'serp') return { answer: null, citations: [], ...(await ctx.call(serp, question)) }
  if (mode === 'ai') return withoutMethod(await ctx.call(answering, question))
  const [raw, own] = await Promise.allSettled([ctx.call(serp, question), ctx.call(answering, question)])
  if (raw.status === 'rejected') {
    if (own.status === 'rejected' || own.value.organic_results.length === 0) throw raw.reason
    return withoutMethod(own.value)
  }
  const answered = own.status === 'fulfilled' ? own.value : await ctx.call(answering, { ...question, results: raw.value })
  return merged(raw.value, answered, question.num_results)
})

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
