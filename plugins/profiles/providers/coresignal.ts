import { getDomainWithoutSuffix } from '../../_shared/public-suffixes.js'
import { provider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { coresignal as vendor } from '../../_vendors/coresignal.js'
import { profileVendors } from '../contract.js'
import { domainOf } from '../names.js'
import { emptyPerson, type Job, type PersonRecord, type Study } from '../record.js'
import { linkedInOf, pictureOf, textOf, textsOf, yearMonthOf } from '../vendor-values.js'

const record = Type.Record(Type.String(), Type.Unknown())
/** Cost of a record, by the vendor's price list; a search is free. */
const RECORD_CREDITS = 2
const ids = Type.Array(Type.Union([Type.Integer(), Type.String()]))

/** By the name in the address directly; else a free search, and the record of the best hit. */
export const coresignal = provider(profileVendors, {
  vendor,
  rank: 40,
  timeoutMs: 15_000,
  run: async ({ linkedin_url: requestedUrl, first_name, last_name, company }, ctx) => {
    const collect = async (key: string) => {
      const found = await ctx.api.json({ path: `/employee_multi_source/collect/${key}` }, record)
      ctx.cost(RECORD_CREDITS, 'credits')
      return found
    }
    // The name in an address is already percent-encoded in canonical form.
    if (requestedUrl !== null) return personOf(await collect(requestedUrl.slice(requestedUrl.lastIndexOf('/') + 1)), requestedUrl)
    const [id] = await ctx.api.json(
      {
        method: 'POST',
        path: '/employee_multi_source/search/es_dsl',
        query: { items_per_page: 1 },
        json: { query: queryOf(`${first_name ?? ''} ${last_name ?? ''}`, company ?? '') },
      },
      ids,
    )
    return id === undefined ? null : personOf(await collect(encodeURIComponent(String(id))), null)
  },
})

/** Companies are in nested documents. For a domain, its registered word is searched: `acme` of `www.shop.acme.co.uk`. */
function queryOf(name: string, company: string) {
  const employer = getDomainWithoutSuffix(domainOf(company) ?? '') ?? company
  return {
    bool: {
      must: [
        { match_phrase: { full_name: name } },
        { nested: { path: 'experience', query: { match_phrase: { 'experience.company_name': employer } } } },
      ],
    },
  }
}

function personOf(data: unknown, requestedUrl: string | null): PersonRecord | null {
  const experience = listAt(data, 'experience').map(jobOf)
  const active = experience.find((job) => job.current)
  const person = {
    ...emptyPerson(),
    first_name: textOf(valueAt(data, 'first_name')),
    last_name: textOf(valueAt(data, 'last_name')),
    full_name: textOf(valueAt(data, 'full_name')),
    headline: textOf(valueAt(data, 'headline')),
    company: active?.company ?? null,
    title: textOf(valueAt(data, 'active_experience_title')) ?? active?.title ?? null,
    location: textOf(valueAt(data, 'location_full')),
    summary: textOf(valueAt(data, 'summary')),
    experience,
    education: listAt(data, 'education').map(studyOf),
    skills: textsOf(listAt(data, 'inferred_skills')),
    profile_image_url: pictureOf(valueAt(data, 'picture_url')),
    linkedin_url: linkedInOf(valueAt(data, 'professional_network_url')) ?? linkedInOf(valueAt(data, 'linkedin_url')) ?? requestedUrl,
  }
  return person.full_name === null && person.last_name === null ? null : person
}

function jobOf(row: unknown): Job {
  return {
    company: textOf(valueAt(row, 'company_name')),
    title: textOf(valueAt(row, 'position_title')),
    start_date: yearMonthOf(valueAt(row, 'date_from_year'), valueAt(row, 'date_from_month')),
    end_date: yearMonthOf(valueAt(row, 'date_to_year'), valueAt(row, 'date_to_month')),
    current: valueAt(row, 'active_experience') === 1,
  }
}

function studyOf(row: unknown): Study {
  return {
    school: textOf(valueAt(row, 'institution_name')),
    degree: textOf(valueAt(row, 'degree')),
    field_of_study: null,
    start_date: yearMonthOf(valueAt(row, 'date_from_year'), null),
    end_date: yearMonthOf(valueAt(row, 'date_to_year'), null),
  }
}
