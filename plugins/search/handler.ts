import { Fault, handle, type Given, type HandlerContext } from '../../core/sdk/index.js'
import { answer as answering, search, serp, type Answered, type Question, type Results } from './contract.js'
import { fused } from './fusion.js'
import { reranked } from './meaning.js'

/**
 * serp uses the engines, ai the vendors that answer, deep both. If no answer is available, the results are returned
 * and charged as results.
 */
export const searchHandler = handle(search, async ({ mode, ...question }, ctx) => {
  if (mode === 'serp') return { answer: null, citations: [], ...(await ctx.call(serp, question)) }
  return mode === 'ai' ? await ai(question, ctx) : await deep(question, ctx)
})

async function ai(question: Question, ctx: HandlerContext) {
  try {
    return withoutMethod(await ctx.call(answering, question))
  } catch (error) {
    if (!isMissing(error) || !ctx.has(serp)) throw error
    const [found] = await Promise.allSettled([ctx.call(serp, question)])
    if (found.status === 'rejected') throw error
    return unanswered(found.value, error, ctx)
  }
}

/**
 * Both in parallel when the first answering vendor searches by itself. Every other vendor gets the results, so that
 * no engine is called twice for the same search; they also replace the search of a vendor that failed.
 */
async function deep(question: Question, ctx: HandlerContext) {
  const alone = { ...question, mode: 'deep' as const, own_search: true }
  const [first] = answerers(ctx)
  if (first === undefined || !first.serves(alone)) return await resultsFirst(question, ctx)
  const engine = ctx.providers(serp).find(({ serves, suspended }) => !suspended && serves(question))
  let own: Promise<Answered> | null = null
  if (engine?.id === first.id) {
    // The same request returns the results and the answer.
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
  if (answered.status === 'fulfilled') return await merged(raw.value, answered.value, question, ctx)
  return await answeredOver({ ...question, mode: 'deep', own_search: false, results: await near(raw.value, question, ctx) }, ctx, own)
}

/** The results are requested before the answer from them; a vendor that searches by itself replaces engines that all failed. */
async function resultsFirst(question: Question, ctx: HandlerContext) {
  const input = { ...question, mode: 'deep' as const }
  const [raw] = await Promise.allSettled([ctx.call(serp, question)])
  if (raw.status === 'fulfilled') return await answeredOver({ ...input, results: await near(raw.value, question, ctx) }, ctx)
  const alone = { ...input, own_search: true }
  if (!answerers(ctx).some(({ serves }) => serves(alone))) throw raw.reason
  const answered = await ctx.call(answering, alone)
  if (answered.organic_results.length === 0) throw raw.reason
  return withoutMethod(answered)
}

/** `failed` is the Fault of the vendors that search by themselves; without another vendor it ends the call. */
async function answeredOver(
  input: Given<typeof answering.input> & Question & { readonly results: Results },
  ctx: HandlerContext,
  failed?: Promise<Answered>,
) {
  try {
    const alone = failed !== undefined && !answerers(ctx).some(({ serves }) => serves(input))
    const answered = alone ? await failed : await ctx.call(answering, input)
    return over(input.results, answered, input.num_results)
  } catch (error) {
    if (!isMissing(error)) throw error
    return unanswered(input.results, error, ctx)
  }
}

/** Only the results. No results at all remain a failure. */
function unanswered(found: Results, error: Fault, ctx: HandlerContext) {
  const count = found.organic_results.length
  if (count === 0) throw error
  ctx.note(`No answer could be put together from ${count} results, so this call costs what mode serp costs.`)
  return { answer: null, citations: [], ...found }
}

function isMissing(error: unknown): error is Fault {
  return Fault.is(error) && error.kind === 'missing'
}

/** The vendors that answer and are available now. */
function answerers(ctx: HandlerContext) {
  return ctx.providers(answering).filter(({ suspended }) => !suspended)
}

function withoutMethod({ answer, citations, organic_results, knowledge_graph, featured_snippet }: Answered) {
  return { answer, citations, organic_results, knowledge_graph, featured_snippet }
}

/** The answer with the results of both searches, merged into one list. */
async function merged(raw: Results, answered: Answered, question: Question, ctx: HandlerContext) {
  const lists = [raw.organic_results, answered.organic_results]
  return { ...over(raw, answered, 0), organic_results: await reranked(question.query, lists, question.num_results, ctx) }
}

/** The answer with the results it was given, which its vendor may have extended. */
function over(given: Results, answered: Answered, wanted: number) {
  return {
    answer: answered.answer,
    citations: answered.citations,
    organic_results: fused([given.organic_results, answered.organic_results], wanted),
    knowledge_graph: given.knowledge_graph ?? answered.knowledge_graph,
    featured_snippet: given.featured_snippet ?? answered.featured_snippet,
  }
}

/** Results in the order in which they are searched for an answer. */
async function near(found: Results, { query, num_results }: Question, ctx: HandlerContext): Promise<Results> {
  return { ...found, organic_results: await reranked(query, [found.organic_results], num_results, ctx) }
}
