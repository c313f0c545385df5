import type { HandlerContext } from '../../../core/sdk/index.js'
import { companiesFind } from '../../companies/contract.js'
import { profilesFind } from '../../profiles/contract.js'
import { terms } from '../../search/contract.js'
import type { Budget } from '../budget.js'
import type { Company, Person } from '../contract.js'
import { inParallel } from '../gather/in-parallel.js'
import type { Named, NamedCompany, NamedPerson } from './types.js'

/** Time limit for one person or company. */
const LOOK_UP_MS = 20_000

export interface EnrichOptions {
  readonly budget: Budget
  readonly atOnce: number
  readonly timeLeft: () => number
}

export interface Enriched {
  readonly people: readonly Person[]
  readonly companies: readonly Company[]
  /** Number of entities with a result. */
  readonly enriched: number
}

type Found = Partial<Pick<Person, 'role'> & Pick<Company, 'industry' | 'employee_count'>>

/**
 * Looks up people and companies, the most frequent first, within the limit of entities: companies whose own site is
 * among the sources, and people with a known company. Results for another company, or another person of the same
 * name, are dropped.
 */
export async function enriched(
  { people, companies }: Named,
  ctx: HandlerContext,
  { budget, atOnce, timeLeft }: EnrichOptions,
): Promise<Enriched> {
  const found = new Map<NamedPerson | NamedCompany, Found>()
  const all = alternating(
    ctx.has(companiesFind) ? companies.filter(({ domain }) => domain !== null) : [],
    ctx.has(profilesFind) ? people.filter(({ company }) => company !== null) : [],
  )
  let done = 0
  await inParallel(all, atOnce, async (entity) => {
    if (timeLeft() <= 0 || !budget.take('entities')) return budget.exhaust()
    const result = await ctx.aside((context) => lookUp(entity, context), { withinMs: Math.min(LOOK_UP_MS, timeLeft()) })
    if (result !== null) found.set(entity, result)
    ctx.progress('entity_enrichment', entity.name, ++done, all.length)
  })
  return {
    people: people.map((person) => ({ ...person, role: found.get(person)?.role ?? person.role })),
    companies: companies.map((company) => {
      const { industry = null, employee_count = null } = found.get(company) ?? {}
      return { ...company, industry, employee_count }
    }),
    enriched: found.size,
  }
}

/** Null without a result, or for a result about another person or company. */
async function lookUp(entity: NamedPerson | NamedCompany, ctx: HandlerContext): Promise<Found | null> {
  if ('domain' in entity) {
    if (entity.domain === null) return null
    const { company_name: name, industry, employees } = await ctx.call(companiesFind, { domain: entity.domain, company_name: entity.name })
    return name !== null && !shareWord(name, entity.name) ? null : { industry, employee_count: employees }
  }
  const [first = '', ...rest] = entity.name.split(' ')
  const { company } = entity
  if (company === null || rest.length === 0) return null
  const profile = await ctx.call(profilesFind, { first_name: first, last_name: rest.join(' '), company, include_image: false })
  const employers = [profile.company, ...profile.experience.map((job) => job.company)].filter((name) => name !== null)
  if (!employers.some((name) => shareWord(name, company))) return null
  return shareWord(profile.company ?? '', company) && profile.title !== null ? { role: profile.title } : {}
}

function shareWord(one: string, other: string): boolean {
  const own = new Set(terms(one))
  return terms(other).some((term) => term.length > 2 && own.has(term))
}

function alternating<A, B>(one: readonly A[], other: readonly B[]): (A | B)[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [
    ...one.slice(at, at + 1),
    ...other.slice(at, at + 1),
  ]).flat()
}
