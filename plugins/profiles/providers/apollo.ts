import { provider, Type } from '../../../core/sdk/index.js'
import { apollo as vendor } from '../../_vendors/apollo.js'
import { profileVendors } from '../contract.js'
import { domainOf } from '../names.js'
import { emptyPerson, type Job, type PersonRecord, type Study } from '../record.js'
import { at, joined, linkedInOf, listAt, pictureOf, textOf, textsOf, yearMonth } from '../vendor-values.js'

const reply = Type.Object({ person: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])) })

/**
 * One match of a person, without summary and skills; it costs a credit, a miss nothing. Private addresses and numbers are not asked for; the mail
 * address that comes is not read.
 */
export const apollo = provider(profileVendors, {
  vendor,
  rank: 30,
  timeoutMs: 10_000,
  run: async ({ linkedin_url: asked, first_name, last_name, company }, ctx) => {
    const domain = company === null ? null : domainOf(company)
    const query = {
      linkedin_url: asked ?? undefined,
      first_name: first_name ?? undefined,
      last_name: last_name ?? undefined,
      ...(domain === null ? { organization_name: company ?? undefined } : { domain }),
    }
    const { person } = await ctx.api.json({ method: 'POST', path: '/people/match', query }, reply)
    if (textOf(at(person, 'id')) === null) return null
    ctx.cost(1, 'credits')
    return personOf(person, asked)
  },
})

function personOf(person: unknown, asked: string | null): PersonRecord | null {
  const rows = listAt(person, 'employment_history')
  const experience = rows.filter((row) => !isStudy(row)).map(jobOf)
  const found = {
    ...emptyPerson(),
    first_name: textOf(at(person, 'first_name')),
    last_name: textOf(at(person, 'last_name')),
    full_name: textOf(at(person, 'name')),
    headline: textOf(at(person, 'headline')),
    company: textOf(at(person, 'organization', 'name')) ?? experience.find((job) => job.current)?.company ?? null,
    title: textOf(at(person, 'title')),
    location: joined(at(person, 'city'), at(person, 'state'), at(person, 'country')),
    experience,
    education: rows.filter(isStudy).map(studyOf),
    profile_image_url: pictureOf(at(person, 'photo_url')),
    linkedin_url: linkedInOf(at(person, 'linkedin_url')) ?? asked,
    employers: textsOf([at(person, 'organization', 'primary_domain')]),
  }
  return found.full_name === null && found.last_name === null ? null : found
}

/** Rows of studies have a degree or a subject. */
function isStudy(row: unknown): boolean {
  return textOf(at(row, 'degree')) !== null || textOf(at(row, 'major')) !== null
}

function jobOf(row: unknown): Job {
  return {
    company: textOf(at(row, 'organization_name')),
    title: textOf(at(row, 'title')),
    start_date: yearMonth(at(row, 'start_date')),
    end_date: yearMonth(at(row, 'end_date')),
    current: at(row, 'current') === true,
  }
}

function studyOf(row: unknown): Study {
  return {
    school: textOf(at(row, 'organization_name')),
    degree: textOf(at(row, 'degree')),
    field_of_study: textOf(at(row, 'major')),
    start_date: yearMonth(at(row, 'start_date')),
    end_date: yearMonth(at(row, 'end_date')),
  }
}
