import { Fault, handle, type Given, type HandlerContext } from '../../core/sdk/index.js'
import { answer as answering, search, serp, type Answered, type Question, type Results } from './contract.js'
import { fused } from './fusion.js'

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
  const alone = { ...question, mode: 'deep' as const, own_search: true }
  const [first] = answerers(ctx)
  if (first === undefined || !first.serves(alone)) return await resultsFirst(question, ctx)
  const engine = ctx.providers(serp).find(({ serves, suspended }) => !suspended && serves(question))
  let own: Promise<Answered> | null = null
  if (engine?.id === first.id) {
    // The same request finds the results and answers.
    own = ctx.call(answering, alone)
    const [both] = await Promise.allSettled([own])
    if (both.status === 'fulfilled') return withoutMethod(both.value)
  }
  const found = ctx.call(serp, question)
  own ??= ctx.call(answering, alone)
  const [raw, answered] = await Promise.allSettled([found, own])
  if (raw.status === 'rejected') {
    if (answered.status === 'rejected' || answered.value.organic_results.length === 0) throw raw.reason
    return withoutMethod(answered.value)
  }
  if (answered.status === 'fulfilled') return merged(raw.value, answered.value, question.num_results)
  const rest = { ...question, mode: 'deep' as const, own_search: false, results: raw.value }
  return merged(raw.value, await answerOver(rest, ctx, own), question.num_results)
}

/** The results are asked for before the answer over them; a vendor that searches by itself stands in for engines that all failed. */
async function resultsFirst(question: Question, ctx: HandlerContext) {
  const input = { ...question, mode: 'deep' as const }
  const [raw] = await Promise.allSettled([ctx.call(serp, question)])
  if (raw.status === 'fulfilled') return merged(raw.value, await answerOver({ ...input, results: raw.value }, ctx), question.num_results)
  const alone = { ...input, own_search: true }
  if (!answerers(ctx).some(({ serves }) => serves(alone))) throw raw.reason
  const answered = await ctx.call(answering, alone)
  if (answered.organic_results.length === 0) throw raw.reason
  return withoutMethod(answered)
}

/** `failed` is how the vendors ended that search by themselves: the end of the call where nobody else is left to ask. */
async function answerOver(
  input: Given<typeof answering.input> & { readonly results: Results },
  ctx: HandlerContext,
  failed?: Promise<Answered>,
): Promise<Answered> {
  try {
    if (failed !== undefined && !answerers(ctx).some(({ serves }) => serves(input))) return await failed
    return await ctx.call(answering, input)
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'missing') throw error
    const count = input.results.organic_results.length
    throw new Fault('missing', `No answer could be put together from ${count} results; mode serp gives the results alone.`, {
      cause: error,
    })
  }
}

/** The vendors that answer and can be asked now. */
function answerers(ctx: HandlerContext) {
  return ctx.providers(answering).filter(({ suspended }) => !suspended)
}

function withoutMethod({ answer, citations, organic_results, knowledge_graph, featured_snippet }: Answered) {
  return { answer, citations, organic_results, knowledge_graph, featured_snippet }
}

function merged(raw: Results, answered: Answered, wanted: number) {
  return {
    answer: answered.answer,
    citations: answered.citations,
    organic_results: fused([raw.organic_results, answered.organic_results], wanted),
    knowledge_graph: raw.knowledge_graph ?? answered.knowledge_graph,
    featured_snippet: raw.featured_snippet ?? answered.featured_snippet,
  }
}
