import { Fault, type HandlerContext, isDefinite, mostUseful, type Static } from '../../core/sdk/index.js'
import { line, terms } from '../search/contract.js'
import { analyse } from './analysis/analyse.js'
import { type Allowance, Budget, BUDGETS } from './budget.js'
import { contradictions, statedContradiction } from './contradictions.js'
import { type Analysis, type Report, type ResearchInput, type ResearchOutput, type SourceType, type Step, STEPS } from './contract.js'
import { detected, united } from './entities/detect.js'
import { type Enriched, enriched } from './entities/enrich.js'
import { namedByModel } from './entities/with-model.js'
import { Candidates } from './gather/candidates.js'
import { readPages } from './gather/reading.js'
import { type Search, searchAll } from './gather/searching.js'
import { Model } from './model.js'
import { facetsOf, namesIn, relatedWords, searchesOf, searchOf } from './plan/facets.js'
import { openFacets, plannedFacets } from './plan/with-model.js'
import { DomainRules } from './rank/domains.js'
import { byMeaning } from './rank/meaning.js'
import { coverage, ranked, type ScoredPassage, scoredPassages } from './rank/rank.js'
import { checkedDraft, citedInDraft } from './report/checked.js'
import { confidenceOf } from './report/confidence.js'
import { type Draft, extractiveReport } from './report/extractive.js'
import { structured } from './report/structured.js'
import { modelReport } from './report/with-model.js'
import type { Facet, NumberedSource, Source } from './run-state.js'
import type { settings } from './settings.js'
import { topicWords } from './text/topic-words.js'

/** Shares of the time budget at which each part of the work ends. */
const UNTIL = { plan: 0.15, gather: 0.6, rank: 0.65, entities: 0.85, analysis: 0.93, report: 0.93, structured: 0.97 } as const
/** Share of the searches and pages for the first round when others may follow. */
const FIRST_ROUND = 0.6
const FACETS = { standard: 3, deep: 6, comprehensive: 10 } as const
/** Share of a part's topic words that passages must cover for it to count as answered. */
const ANSWERED = 0.75
const BEST_PASSAGES = 5
/** Passages searched for people and companies. */
const ENTITY_PASSAGES = 60
const MOST_ENTITIES = 30
/** Passages compared for contradictions. */
const DISPUTED_PASSAGES = 200
const LONGEST_SNIPPET = 300
/** Words that request recent content. */
const NEW = /\b(?:latest|current|currently|recent|recently|today|now|newest|this (?:year|month|week)|20\d\d)\b/i

type Context = HandlerContext<Static<typeof settings>>

/** One research: its input, its results so far, and its remaining limits. */
export class ResearchRun {
  readonly #input: ResearchInput
  readonly #ctx: Context
  readonly #allowance: Allowance
  readonly #budget: Budget
  readonly #model: Model
  readonly #candidates: Candidates
  readonly #rules: DomainRules
  readonly #now = Date.now()
  readonly #steps = new Set<Step>()
  readonly #failures: Fault[] = []
  readonly #searched = new Set<string>()
  #facets: readonly Facet[] = []
  /** Open questions of a model that saw pages: searched for, but never shown. */
  #open: readonly Facet[] = []
  /** Of all sources, for the question, best first. */
  #passages: readonly ScoredPassage[] = []
  #rounds = 0
  #scraped = 0

  constructor(input: ResearchInput, ctx: Context) {
    this.#input = input
    this.#ctx = ctx
    this.#allowance = BUDGETS[input.depth]
    const tokens = ctx.settings.model_tokens * this.#allowance.tokenFactor
    this.#budget = new Budget(this.#allowance, { tokens, timeLeft: () => ctx.timeLeft() })
    this.#model = new Model(ctx, this.#budget)
    this.#rules = new DomainRules({ only: input.domain_whitelist, not: input.domain_blacklist })
    this.#candidates = new Candidates(this.#rules, this.#now)
  }

  /** Splits the question into parts. */
  async plan(): Promise<void> {
    const { query, depth } = this.#input
    this.#ctx.progress('query_expansion', line(query, LONGEST_SNIPPET))
    const planned = await plannedFacets(this.#model, query, { most: FACETS[depth], withinMs: this.#budget.timeUntil(UNTIL.plan) })
    const whole = { question: line(query, 2_000), search: searchOf(query) }
    this.#facets = planned === null ? facetsOf(query) : [whole, ...planned.filter(({ question }) => question !== whole.question)]
    this.#steps.add('query_expansion')
  }

  /** Searches and reads in rounds; later rounds search for open points. */
  async collect(): Promise<void> {
    const { rounds } = this.#allowance
    const share = rounds === 0 ? 1 : FIRST_ROUND
    let searches = this.#firstSearches(Math.ceil(this.#budget.left('searches') * share))
    for (let round = 0; ; round++) {
      await this.#search(searches)
      await this.#read(round === 0 ? share : 1 / (rounds - round + 1))
      if (round === rounds) break
      searches = await this.#furtherSearches(Math.ceil(this.#budget.left('searches') / (rounds - round)))
      if (searches.length === 0) break
      this.#rounds++
    }
    // The budget that no further round needed.
    await this.#read(1)
  }

  /** The best sources with their numbers, up to the requested count. */
  async numbered(): Promise<readonly NumberedSource[]> {
    const { query, max_sources: most } = this.#input
    const { sources } = this.#candidates
    const byWords = scoredPassages(query, sources)
    this.#passages = await byMeaning(query, byWords, this.#ctx, this.#budget.timeUntil(UNTIL.rank))
    return this.#ranked(query, sources, this.#passages)
      .slice(0, most)
      .map((source, at) => ({ ...source, id: at + 1 }))
  }

  /** The Fault when there is no source. */
  nothingFound(): Fault {
    const { found } = this.#candidates
    if (found > 0)
      return new Fault('missing', `None of the ${found} results is at a domain that domain_whitelist and domain_blacklist let in.`, {
        remedy: 'Name other domains, or leave the lists out.',
      })
    if (this.#failures.length === 0 || this.#failures.every(isDefinite))
      return new Fault('missing', 'The searches found nothing for this question.')
    const { message, retryAfterSeconds } = mostUseful(this.#failures)
    const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
    const isBusy = this.#failures.some(({ kind }) => kind === 'busy')
    return new Fault(isBusy ? 'busy' : 'broken', `All searches failed: ${message}`, { ...wait, cause: this.#failures[0] })
  }

  /** The people and companies in the sources, looked up if requested. */
  async entities(): Promise<Enriched> {
    const { query, enrich_entities: enrich } = this.#input
    const { sources } = this.#candidates
    const passages = this.#passages.slice(0, ENTITY_PASSAGES).map(({ passage }) => passage)
    this.#ctx.progress('entity_detection')
    const byRules = detected(passages, sources)
    const byModel = await namedByModel(this.#model, passages, { query, withinMs: this.#budget.timeUntil(UNTIL.gather + 0.1) })
    const all =
      byModel === null
        ? byRules
        : united({ people: [...byModel.people, ...byRules.people], companies: [...byModel.companies, ...byRules.companies] }, sources)
    const named = { people: all.people.slice(0, MOST_ENTITIES), companies: all.companies.slice(0, MOST_ENTITIES) }
    this.#steps.add('entity_detection')
    const timeLeft = (): number => (enrich ? this.#budget.timeUntil(UNTIL.entities) : 0)
    if (!enrich)
      return {
        people: named.people,
        companies: named.companies.map((one) => ({ ...one, industry: null, employee_count: null })),
        enriched: 0,
      }
    const result = await enriched(named, this.#ctx, { budget: this.#budget, atOnce: this.#ctx.settings.at_once, timeLeft })
    this.#steps.add('entity_enrichment')
    return result
  }

  /** Charts of the tables in the sources; null when not requested, and when no table has matching figures, which is noted. */
  async analysis(sources: readonly NumberedSource[]): Promise<Analysis | null> {
    const { query, include_analysis: isRequested } = this.#input
    if (!isRequested) return null
    const failures: Fault[] = []
    const withinMs = this.#budget.timeUntil(UNTIL.analysis)
    const made = await this.#ctx.aside((context) => analyse(query, sources, context), {
      withinMs,
      about: 'analysis',
      onFailure: (fault) => void failures.push(fault),
    })
    if (made === null && failures.length === 0) this.#ctx.note('analysis: no table of the sources has figures on the question.')
    return made
  }

  /** The report, and the number of cited sources; null when not requested. */
  async report(sources: readonly NumberedSource[]): Promise<{ readonly report: Report; readonly cited: number } | null> {
    if (!this.#input.synthesis) return null
    const { query } = this.#input
    this.#ctx.progress('synthesis')
    const citable = this.#citable(sources)
    const passages = this.#passagesOf(citable)
    const draft = (await this.#written(citable, passages)) ?? extractiveReport({ query, facets: this.#facets, sources: citable, passages })
    const disputes = contradictions(query, withPassages(citable, passages.slice(0, DISPUTED_PASSAGES))).map(statedContradiction)
    const sections =
      disputes.length === 0 ? draft.sections : [...draft.sections, { heading: 'Where sources disagree', content: disputes.join('\n\n') }]
    const summary = draft.summary === '' ? 'No sentence of the sources speaks of this question.' : draft.summary
    const ids = citedInDraft({ ...draft, sections })
    const cited = citable.filter(({ id }) => ids.has(id))
    this.#steps.add('synthesis')
    return {
      report: { ...draft, summary, sections, confidence: confidenceOf({ query, answer: draft.summary, passages, cited }) },
      cited: cited.length,
    }
  }

  /** The requested object; null when not requested, or the sources do not fill it. */
  async structured(sources: readonly NumberedSource[]): Promise<Record<string, unknown> | null> {
    const { query, output_schema: schema } = this.#input
    if (schema === null) return null
    const citable = this.#citable(sources)
    const passages = this.#byFacets(citable, this.#passagesOf(citable))
    return await structured(this.#ctx, {
      query,
      schema,
      passages,
      budget: this.#budget,
      withinMs: this.#budget.timeUntil(UNTIL.structured),
    })
  }

  /** A source in the form returned to callers. */
  shown({ id, url, title, domain, snippet, passages, type }: NumberedSource): ResearchOutput['sources'][number] {
    const own = line(passages[0]?.text ?? '', LONGEST_SNIPPET)
    return { id, url, title, domain, snippet: snippet ?? (own === '' ? null : own), source_type: type }
  }

  metadata({ cited, enriched: known }: { readonly cited: number; readonly enriched: number }): ResearchOutput['metadata'] {
    const { depth } = this.#input
    return {
      depth_used: depth,
      sources_searched: this.#candidates.found,
      sources_scraped: this.#scraped,
      sources_cited: cited,
      entities_enriched: known,
      refinement_rounds: this.#rounds,
      budget_exhausted: this.#budget.exhausted,
      total_time_ms: Math.round(this.#budget.elapsed()),
      steps_completed: STEPS.filter((step) => this.#steps.has(step)),
    }
  }

  /** A model's report that its sources support; null when there is none, which is noted. */
  async #written(citable: readonly NumberedSource[], passages: readonly ScoredPassage[]): Promise<Draft | null> {
    const { query, depth } = this.#input
    const withinMs = this.#budget.timeUntil(UNTIL.report)
    const shown = this.#byFacets(citable, passages)
    const isThere = this.#model.isThere
    const draft = await modelReport(this.#model, { query, facets: this.#facets, sources: citable, passages: shown, depth, withinMs })
    const { draft: kept, struck } =
      draft === null
        ? { draft: null, struck: 0 }
        : await checkedDraft(draft, { query: line(query, LONGEST_SNIPPET), sources: citable }, this.#ctx)
    if (struck > 0 && kept !== null)
      this.#ctx.note(
        `${struck} ${struck === 1 ? 'sentence was' : 'sentences were'} left out of the report: the sources cited do not hold the figures, names or dates.`,
      )
    if (draft !== null && kept === null)
      this.#ctx.note('The report of the language model was not used: no sentence of it rests on a source.')
    if (draft === null && isThere) this.#ctx.note('The language model returned no usable report.')
    if (kept === null) this.#ctx.note('The report is made of sentences taken from the sources; no language model wrote it.')
    return kept
  }

  /** The sources that a report may cite: those that were read; when none was, their snippets. */
  #citable(sources: readonly NumberedSource[]): readonly NumberedSource[] {
    const read = sources.filter(({ text }) => text !== null)
    if (read.length > 0) return read
    this.#ctx.note('No page could be read: the answer rests on the snippets of the search results.')
    return sources.filter(({ passages }) => passages.length > 0)
  }

  /** The best passages for each part of the question, then the others. */
  #byFacets(sources: readonly Source[], whole: readonly ScoredPassage[] = scoredPassages(this.#input.query, sources)): ScoredPassage[] {
    const parts = [...this.#facets.slice(1), ...this.#open].map(({ question }) => scoredPassages(question, sources).slice(0, BEST_PASSAGES))
    const order = [...whole.slice(0, 2 * BEST_PASSAGES), ...parts.flat(), ...whole.slice(2 * BEST_PASSAGES)]
    const seen = new Set<ScoredPassage['passage']>()
    return order.filter(({ passage }) => !seen.has(passage) && seen.add(passage))
  }

  async #search(searches: readonly Search[]): Promise<void> {
    const { freshness } = this.#input
    const withinMs = this.#budget.timeUntil(UNTIL.gather)
    const options = { budget: this.#budget, freshness, atOnce: this.#ctx.settings.at_once, withinMs, now: this.#now }
    for (const { query } of searches) this.#searched.add(wordsOf(query))
    const { hits, failures } = await searchAll(searches, this.#ctx, options)
    this.#failures.push(...failures)
    this.#candidates.add(hits)
    if (hits.length > 0) this.#steps.add('web_search')
  }

  async #read(share: number): Promise<void> {
    const { query, max_sources: most } = this.#input
    const wanted = Math.min(Math.ceil(this.#budget.left('scrapes') * share), most - this.#scraped)
    const { unread } = this.#candidates
    if (wanted <= 0 || unread.length === 0) return
    const timeLeft = (): number => this.#budget.timeUntil(UNTIL.gather)
    const options = { budget: this.#budget, atOnce: this.#ctx.settings.at_once, wanted, timeLeft }
    const { read } = await readPages(this.#ranked(query, unread), this.#candidates, this.#ctx, options)
    this.#scraped += read
    if (read > 0) this.#steps.add('content_extraction')
  }

  #firstSearches(most: number): Search[] {
    const { query, source_types: types } = this.#input
    const own = this.#facets.map(({ search }) => search)
    const queries = distinct([...own.slice(0, 1), ...(own.length > 1 ? own.slice(1) : searchesOf(query).slice(1)), ...searchesOf(query)])
    return this.#ofTypes(queries, asTypes(types), most)
  }

  /** Searches of each type in turn; a page search names the only allowed domains. */
  #ofTypes(queries: readonly string[], types: readonly SourceType[], most: number): Search[] {
    const all = queries.flatMap((query, at) => types.flatMap((type) => this.#within(query, type, at)))
    return all.slice(0, most)
  }

  #within(query: string, type: SourceType, at: number): Search[] {
    const only = this.#rules.only
    if (only === null || type === 'academic') return [{ type, query }]
    const domain = only[at % only.length] ?? ''
    const named = { type, query: `${query} site:${domain}` }
    return at === 0 ? [named, { type, query }] : [named]
  }

  /** Searches for open points; empty when there are none, or the limits are reached. */
  async #furtherSearches(most: number): Promise<Search[]> {
    const withinMs = this.#budget.timeUntil(UNTIL.gather)
    const open = await this.#unanswered(Math.max(1, most), withinMs)
    const queries = distinct(open).filter((query) => !this.#searched.has(wordsOf(query)))
    if (queries.length === 0) return []
    if (most <= 0 || this.#budget.timeUntil(UNTIL.gather) <= 0) {
      this.#budget.exhaust()
      return []
    }
    const types = asTypes(this.#input.source_types)
    return this.#ofTypes(queries, types.includes('web') ? ['web'] : types, most)
  }

  async #unanswered(most: number, withinMs: number): Promise<string[]> {
    const { query } = this.#input
    const read = this.#candidates.sources.filter(({ text }) => text !== null)
    const passages = this.#byFacets(read)
    const byModel = await openFacets(this.#model, { query, facets: [...this.#facets, ...this.#open], passages, most, withinMs })
    if (byModel !== null) {
      this.#open = [...this.#open, ...byModel]
      return byModel.map(({ search }) => search)
    }
    return this.#facets.flatMap(({ question }) => {
      const best = scoredPassages(question, read).slice(0, BEST_PASSAGES)
      const held = new Set(best.flatMap(({ passage }) => passage.terms))
      if (best.length > 0 && coverage(question, held, read) >= ANSWERED) return []
      const missing = topicWords(question).filter((word) => !terms(word).some((term) => held.has(term)))
      const related = relatedWords(
        query,
        best.map(({ passage }) => passage.text),
        1,
      )
      return [[...namesIn(question).slice(0, 2), ...missing].slice(0, 8).join(' '), [searchOf(question), ...related].join(' ')]
    })
  }

  /** The best passages of the given sources. */
  #passagesOf(sources: readonly Source[]): ScoredPassage[] {
    const urls = new Set(sources.map(({ url }) => url))
    return this.#passages.filter(({ source }) => urls.has(source.url))
  }

  #ranked(question: string, sources: readonly Source[], passages: readonly ScoredPassage[] = scoredPassages(question, sources)): Source[] {
    const wantsNew = this.#input.freshness !== 'any' || NEW.test(question)
    return ranked(question, sources, passages, { now: this.#now, wantsNew })
  }
}

function asTypes(types: ResearchInput['source_types']): SourceType[] {
  const list: readonly string[] = typeof types === 'string' ? types.split(',') : types
  return list.flatMap((type) => (type === 'web' || type === 'news' || type === 'academic' ? [type] : []))
}

function wordsOf(query: string): string {
  return [...new Set(terms(query))].sort().join(' ')
}

/** Searches with distinct words. */
function distinct(queries: readonly string[]): string[] {
  return queries.filter((query, at) => query.trim() !== '' && queries.findIndex((other) => wordsOf(other) === wordsOf(query)) === at)
}

/** Sources with only the listed ones of their passages. */
function withPassages(sources: readonly NumberedSource[], listed: readonly ScoredPassage[]): NumberedSource[] {
  const kept = new Set(listed.map(({ passage }) => passage))
  return sources.map((source) => ({ ...source, passages: source.passages.filter((passage) => kept.has(passage)) }))
}
