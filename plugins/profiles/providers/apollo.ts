import { provider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { apollo as vendor } from '../../_vendors/apollo.js'
import { profileVendors } from '../contract.js'
import { domainOf } from '../names.js'
import { emptyPerson, type Job, type PersonRecord, type Study } from '../record.js'
import { joined, linkedInOf, pictureOf, textOf, textsOf, yearMonth } from '../vendor-values.js'

const reply = Type.Object({ person: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])) })

/**
 * One match of a person, without summary and skills; it costs a credit, a miss nothing. Private addresses and numbers
 * are not requested; the returned mail address is ignored.
 */
export const apollo = provider(profileVendors, {
  vendor,
  rank: 30,
  timeoutMs: 10_000,
  run: async ({ linkedin_url: requestedUrl, first_name, last_name, company }, ctx) => {
    const domain = company === null ? null : domainOf(company)
    const query = {
      linkedin_url: requestedUrl ?? undefined,
      first_name: first_name ?? undefined,
      last_name: last_name ?? undefined,
      ...(domain === null ? { organization_name: company ?? undefined } : { domain }),
    }
    const { person } = await ctx.api.json({ method: 'POST', path: '/people/match', query }, reply)
    if (textOf(valueAt(person, 'id')) === null) return null
    ctx.cost(1, 'credits')
    return personOf(person, requestedUrl)
  },
})

function personOf(person: unknown, requestedUrl: string | null): PersonRecord | null {
  const rows = listAt(person, 'employment_history')
  const experience = rows.filter((row) => !isStudy(row)).map(jobOf)
  const found = {
    ...emptyPerson(),
    first_name: textOf(valueAt(person, 'first_name')),
    last_name: textOf(valueAt(person, 'last_name')),
    full_name: textOf(valueAt(person, 'name')),
    headline: textOf(valueAt(person, 'headline')),
    company: textOf(valueAt(person, 'organization', 'name')) ?? experience.find((job) => job.current)?.company ?? null,
    title: textOf(valueAt(person, 'title')),
    location: joined(valueAt(person, 'city'), valueAt(person, 'state'), valueAt(person, 'country')),
    experience,
    education: rows.filter(isStudy).map(studyOf),
    profile_image_url: pictureOf(valueAt(person, 'photo_url')),
    linkedin_url: linkedInOf(valueAt(person, 'linkedin_url')) ?? requestedUrl,
    employers: textsOf([valueAt(person, 'organization', 'primary_domain')]),
  }
  return found.full_name === null && found.last_name === null ? null : found
}

/** Education entries have a degree or a subject. */
function isStudy(row: unknown): boolean {
  return textOf(valueAt(row, 'degree')) !== null || textOf(valueAt(row, 'major')) !== null
}

function jobOf(row: unknown): Job {
  return {
    company: textOf(valueAt(row, 'organization_name')),
    title: textOf(valueAt(row, 'title')),
    start_date: yearMonth(valueAt(row, 'start_date')),
    end_date: yearMonth(valueAt(row, 'end_date')),
    current: valueAt(row, 'current') === true,
  }
}

function studyOf(row: unknown): Study {
  return {
    school: textOf(valueAt(row, 'organization_name')),
    degree: textOf(valueAt(row, 'degree')),
    field_of_study: textOf(valueAt(row, 'major')),
    start_date: yearMonth(valueAt(row, 'start_date')),
    end_date: yearMonth(valueAt(row, 'end_date')),
  }
}
