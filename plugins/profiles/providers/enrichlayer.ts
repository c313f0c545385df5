import { isRecord, provider, Type } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { enrichlayer as vendor } from '../../_vendors/enrichlayer.js'
import { whenReady } from '../../_vendors/when-ready.js'
import { profileVendors } from '../contract.js'
import { emptyPerson, type Job, type PersonRecord, type Study } from '../record.js'
import { joined, linkedInOf, pictureOf, textOf, textsOf, yearMonthOf } from '../vendor-values.js'

/** Credits: a profile with skills, the lookup of an address, and a profile included in a lookup. */
const CREDITS = { profile: 2, lookUp: 2, profileWithIt: 1 } as const

const reply = Type.Record(Type.String(), Type.Unknown())
const resolved = Type.Object({
  url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  profile: Type.Optional(Type.Union([reply, Type.Null()])),
})

/**
 * By address one request with the skills (2 credits); by name the lookup of the address with the profile (3 credits),
 * which has no skills.
 */
export const enrichlayer = provider(profileVendors, {
  vendor,
  rank: 20,
  timeoutMs: 15_000,
  run: async ({ linkedin_url: requestedUrl, first_name, last_name, company }, ctx) => {
    const profile = async (address: string) => {
      const found = await whenReady(ctx, { path: '/profile', query: { profile_url: address, skills: 'include' } }, reply)
      ctx.cost(CREDITS.profile, 'credits')
      return found
    }
    if (requestedUrl !== null) return personOf(await profile(requestedUrl), requestedUrl)
    const query = {
      first_name: first_name ?? undefined,
      last_name: last_name ?? undefined,
      company_domain: company ?? undefined,
      enrich_profile: 'enrich',
    }
    const { url, profile: found } = await whenReady(ctx, { path: '/profile/resolve', query }, resolved)
    ctx.cost(CREDITS.lookUp + (isRecord(found) ? CREDITS.profileWithIt : 0), 'credits')
    const address = linkedInOf(url)
    if (address === null) return null
    return personOf(found ?? (await profile(address)), address)
  },
})

function personOf(data: unknown, address: string): PersonRecord | null {
  const slug = textOf(valueAt(data, 'public_identifier'))
  const experience = listAt(data, 'experiences').map(jobOf)
  const current = experience.find((job) => job.current)
  const person = {
    ...emptyPerson(),
    first_name: textOf(valueAt(data, 'first_name')),
    last_name: textOf(valueAt(data, 'last_name')),
    full_name: textOf(valueAt(data, 'full_name')),
    headline: textOf(valueAt(data, 'headline')) ?? textOf(valueAt(data, 'occupation')),
    company: current?.company ?? null,
    title: current?.title ?? null,
    location: joined(valueAt(data, 'city'), valueAt(data, 'state'), valueAt(data, 'country_full_name')),
    summary: textOf(valueAt(data, 'summary')),
    experience,
    education: listAt(data, 'education').map(studyOf),
    skills: textsOf(listAt(data, 'skills')),
    profile_image_url: pictureOf(valueAt(data, 'profile_pic_url')),
    linkedin_url: (slug === null ? null : linkedInOf(`https://www.linkedin.com/in/${slug}`)) ?? address,
  }
  return person.full_name === null && person.last_name === null ? null : person
}

function jobOf(row: unknown): Job {
  const ended = valueAt(row, 'ends_at') ?? null
  return {
    company: textOf(valueAt(row, 'company')),
    title: textOf(valueAt(row, 'title')),
    start_date: dateAt(row, 'starts_at'),
    end_date: dateAt(row, 'ends_at'),
    // An end without a year is still an end.
    current: ended === null,
  }
}

function studyOf(row: unknown): Study {
  return {
    school: textOf(valueAt(row, 'school')),
    degree: textOf(valueAt(row, 'degree_name')),
    field_of_study: textOf(valueAt(row, 'field_of_study')),
    start_date: dateAt(row, 'starts_at'),
    end_date: dateAt(row, 'ends_at'),
  }
}

function dateAt(row: unknown, field: string): string | null {
  return yearMonthOf(valueAt(row, field, 'year'), valueAt(row, field, 'month'))
}
