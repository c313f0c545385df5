import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { wikidata as vendor } from '../../_vendors/wikidata.js'
import {
  entitiesCall,
  entitiesReply,
  entityOf,
  idBatches,
  searchCall,
  searchReply,
  wikidataWebsite,
  type Entity,
} from '../../wikidata/contract.js'
import { companiesFirmographics, type Question } from '../contract.js'
import { isOfDomain, itemsOf, recordOf, weightOf } from '../values/wikidata-record.js'

interface Settings {
  readonly contact: string
}
type Context = ProviderContext<Settings>

/** Most items read. */
const MOST = 10

/**
 * The item whose official website (P856) is the domain, found by the query service, else by name: the hint, or the
 * first part of the domain. An item with another website is never used. Requests are sequential, as Wikidata
 * requires.
 */
export const wikidata = provider(companiesFirmographics, {
  vendor,
  uses: [wikidataWebsite],
  rank: 40,
  timeoutMs: 12_000,
  run: async (question, ctx) => {
    const item = (await byWebsite(question, ctx)) ?? (await byName(question, ctx))
    // It covers few companies, so a missing item proves nothing.
    if (item === null) throw new Fault('missing', 'Wikidata has no company of this website.', { inconclusive: true })
    return recordOf(item, { domain: question.domain, names: await namesOf(itemsOf(item), ctx) })
  },
})

async function byWebsite({ domain }: Question, ctx: Context): Promise<Entity | null> {
  if (!ctx.has(wikidataWebsite)) return null
  let ids: readonly string[]
  try {
    ids = (await ctx.call(wikidataWebsite, { domain })).ids
  } catch (error) {
    // The entity API is a different service that refuses the same clients.
    if (!Fault.is(error) || error.kind === 'credentials' || ctx.signal.aborted) throw error
    if (error.kind !== 'missing') ctx.log('the query service of Wikidata had no answer', { kind: error.kind })
    return null
  }
  return await bestOf(ids, domain, ctx)
}

async function byName({ domain, company_name: name }: Question, ctx: Context): Promise<Entity | null> {
  const label = domain.split('.')[0] ?? ''
  if (name === null && label.startsWith('xn--')) return null
  const { search } = await ctx.api.json(searchCall(name ?? label, { contact: ctx.settings.contact, limit: MOST }), searchReply)
  return await bestOf(
    search.map(({ id }) => id).filter((id) => /^Q\d+$/.test(id)),
    domain,
    ctx,
  )
}

/** The most complete of the items with this website. */
async function bestOf(ids: readonly string[], domain: string, ctx: Context): Promise<Entity | null> {
  if (ids.length === 0) return null
  const call = entitiesCall(ids, { contact: ctx.settings.contact, props: ['labels', 'descriptions', 'claims'] })
  const { entities } = await ctx.api.json(call, entitiesReply)
  const items = ids.flatMap((id) => entityOf(entities, id) ?? []).filter((item) => isOfDomain(item, domain))
  const [best] = [...items].sort((one, other) => weightOf(other) - weightOf(one))
  return best ?? null
}

/** Labels of the items used as values; empty when they are unavailable. */
async function namesOf(ids: readonly string[], ctx: Context): Promise<ReadonlyMap<string, string>> {
  const [batch] = idBatches(ids)
  if (batch === undefined) return new Map()
  try {
    const { entities } = await ctx.api.json(entitiesCall(batch, { contact: ctx.settings.contact, props: ['labels'] }), entitiesReply)
    return new Map(
      batch.flatMap((id): [string, string][] => {
        const label = entityOf(entities, id)?.label ?? null
        return label === null ? [] : [[id, label]]
      }),
    )
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    ctx.log('names of items of Wikidata could not be had', { kind: error.kind })
    return new Map()
  }
}
