import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { wikidata as vendor } from '../../_vendors/wikidata.js'
import {
  entitiesCall,
  entitiesReply,
  entityOf,
  idBatches,
  searchCall,
  searchReply,
  statementSearchCall,
  statementSearchReply,
  type Entity,
} from '../../wikidata/contract.js'
import { profileVendors, type ProfileRequest } from '../contract.js'
import { sameName } from '../names.js'
import { matchesRequest } from '../same-person.js'
import { addressIn, isPerson, itemsOf, personOf } from '../wikidata-person.js'

type Context = ProviderContext<{ readonly contact: string }>

/** Hits of a name that are read. */
const HITS = 10

/** People with their own item: by their LinkedIn profile (P6634), else by name when an employer or school is the requested company. */
export const wikidata = provider(profileVendors, {
  vendor,
  rank: 50,
  timeoutMs: 15_000,
  run: async (request, context) => {
    const hits = await itemsFor(request, context)
    const ids = [...new Set(hits.flatMap(itemsOf))]
    const names = new Map<string, Entity>()
    for (const some of idBatches(ids))
      for (const entity of await entities(some, context, ['labels', 'aliases'])) names.set(entity.id, entity)
    const people = hits.map((entity) => personOf(entity, names, request.include_image))
    const person = people.find((each) => matchesRequest(each, request))
    // It covers few people, so a missing item proves nothing.
    if (person === undefined) throw new Fault('missing', 'Wikidata has no such person.', { inconclusive: true })
    return person
  },
})

/** Items that may be the person's. */
async function itemsFor(request: ProfileRequest, context: Context): Promise<Entity[]> {
  const options = { contact: context.settings.contact, limit: HITS }
  const address = request.linkedin_url
  if (address !== null) {
    const slug = decodeURIComponent(address.slice(address.lastIndexOf('/') + 1))
    const { query } = await context.api.json(statementSearchCall('P6634', slug, options), statementSearchReply)
    return (
      await people(
        query.search.map(({ title }) => title),
        context,
      )
    ).filter((entity) => addressIn(entity) === address)
  }
  const name = `${request.first_name ?? ''} ${request.last_name ?? ''}`
  const { search } = await context.api.json(searchCall(name, options), searchReply)
  const found = await people(
    search.map(({ id }) => id),
    context,
  )
  return found.filter((entity) => [entity.label, ...entity.aliases].some((other) => other !== null && sameName(name, other)))
}

async function people(ids: readonly string[], context: Context): Promise<Entity[]> {
  const items = ids.filter((id) => /^Q\d+$/.test(id)).slice(0, HITS)
  return items.length === 0 ? [] : (await entities(items, context, ['labels', 'aliases', 'descriptions', 'claims'])).filter(isPerson)
}

async function entities(
  ids: readonly string[],
  { api, settings }: Context,
  props: Parameters<typeof entitiesCall>[1]['props'],
): Promise<Entity[]> {
  const reply = await api.json(entitiesCall(ids, { contact: settings.contact, props }), entitiesReply)
  return ids.flatMap((id) => entityOf(reply.entities, id) ?? [])
}
