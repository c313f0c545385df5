import { provider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { peopledatalabs as vendor } from '../../_vendors/peopledatalabs.js'
import { profileVendors } from '../contract.js'
import { emptyPerson, type Job, type PersonRecord, type Study } from '../record.js'
import { joined, linkedInOf, textOf, textsOf, yearMonth } from '../vendor-values.js'

/** Nothing else is requested: mail addresses, numbers and birth dates are not part of a profile. */
const FIELDS =
  'full_name,first_name,last_name,headline,summary,job_title,job_company_name,job_company_website,location_name,linkedin_url,skills,experience,education'

const reply = Type.Object({ data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]) })

/** One match of a person, which costs a credit; it has no picture. */
export const peopledatalabs = provider(profileVendors, {
  vendor,
  rank: 10,
  timeoutMs: 10_000,
  run: async ({ linkedin_url: profile, first_name, last_name, company }, ctx) => {
    const query = {
      ...(profile === null
        ? { first_name: first_name ?? undefined, last_name: last_name ?? undefined, company: company ?? undefined }
        : { profile }),
      data_include: FIELDS,
      titlecase: true,
    }
    const { data } = await ctx.api.json({ path: '/person/enrich', query }, reply)
    if (data === null) return null
    ctx.cost(1, 'credits')
    return personOf(data, profile)
  },
})

function personOf(data: unknown, requestedUrl: string | null): PersonRecord | null {
  const experience = listAt(data, 'experience')
  const person = {
    ...emptyPerson(),
    first_name: textOf(valueAt(data, 'first_name')),
    last_name: textOf(valueAt(data, 'last_name')),
    full_name: textOf(valueAt(data, 'full_name')),
    headline: textOf(valueAt(data, 'headline')) ?? textOf(valueAt(data, 'job_title')),
    company: textOf(valueAt(data, 'job_company_name')),
    title: textOf(valueAt(data, 'job_title')),
    location: textOf(valueAt(data, 'location_name')),
    summary: textOf(valueAt(data, 'summary')),
    experience: experience.map(jobOf),
    education: listAt(data, 'education').map(studyOf),
    skills: textsOf(listAt(data, 'skills')),
    linkedin_url: linkedInOf(valueAt(data, 'linkedin_url')) ?? requestedUrl,
    employers: textsOf([valueAt(data, 'job_company_website'), ...experience.map((job) => valueAt(job, 'company', 'website'))]),
  }
  return person.full_name === null && person.last_name === null ? null : person
}

function jobOf(row: unknown): Job {
  const start = yearMonth(valueAt(row, 'start_date'))
  const end = yearMonth(valueAt(row, 'end_date'))
  // An entry without any date is an undated past job, unless it is marked.
  const current = end === null && (valueAt(row, 'is_primary') === true || start !== null)
  return {
    company: textOf(valueAt(row, 'company', 'name')),
    title: textOf(valueAt(row, 'title', 'name')),
    start_date: start,
    end_date: end,
    current,
  }
}

function studyOf(row: unknown): Study {
  return {
    school: textOf(valueAt(row, 'school', 'name')),
    degree: joined(...listAt(row, 'degrees')),
    field_of_study: joined(...listAt(row, 'majors')),
    start_date: yearMonth(valueAt(row, 'start_date')),
    end_date: yearMonth(valueAt(row, 'end_date')),
  }
}
