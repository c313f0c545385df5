import { provider, Type } from '../../../core/sdk/index.js'
import { enrichlayer as vendor } from '../../_vendors/enrichlayer.js'
import { profileVendors } from '../contract.js'
import { emptyPerson, type Job, type PersonRecord, type Study } from '../record.js'
import { at, joined, linkedInOf, listAt, pictureOf, textOf, textsOf, yearMonthOf } from '../vendor-values.js'

const reply = Type.Record(Type.String(), Type.Unknown())
const resolved = Type.Object({
  url: Type.Union([Type.String(), Type.Null()]),
  profile: Type.Optional(Type.Union([reply, Type.Null()])),
})

/** By address one request with the skills (2 credits); by name the look-up of the address with the profile (3 credits), which has no skills. */
export const enrichlayer = provider(profileVendors, {
  vendor,
  rank: 20,
  timeoutMs: 15_000,
  run: async ({ linkedin_url: asked, first_name, last_name, company }, { api }) => {
    const profile = (address: string) => api.json({ path: '/profile', query: { profile_url: address, skills: 'include' } }, reply)
    if (asked !== null) return personOf(await profile(asked), asked)
    const query = {
      first_name: first_name ?? undefined,
      last_name: last_name ?? undefined,
      company_domain: company ?? undefined,
      enrich_profile: 'enrich',
    }
    const { url, profile: found } = await api.json({ path: '/profile/resolve', query }, resolved)
    const address = linkedInOf(url)
    if (address === null) return null
    return personOf(found ?? (await profile(address)), address)
  },
})

function personOf(data: unknown, address: string): PersonRecord | null {
  const slug = textOf(at(data, 'public_identifier'))
  const experience = listAt(data, 'experiences').map(jobOf)
  const current = experience.find((job) => job.current)
  const person = {
    ...emptyPerson(),
    first_name: textOf(at(data, 'first_name')),
    last_name: textOf(at(data, 'last_name')),
    full_name: textOf(at(data, 'full_name')),
    headline: textOf(at(data, 'headline')) ?? textOf(at(data, 'occupation')),
    company: current?.company ?? null,
    title: current?.title ?? null,
    location: joined(at(data, 'city'), at(data, 'state'), at(data, 'country_full_name')),
    summary: textOf(at(data, 'summary')),
    experience,
    education: listAt(data, 'education').map(studyOf),
    skills: textsOf(listAt(data, 'skills')),
    profile_image_url: pictureOf(at(data, 'profile_pic_url')),
    linkedin_url: (slug === null ? null : linkedInOf(`https://www.linkedin.com/in/${slug}`)) ?? address,
  }
  return person.full_name === null && person.last_name === null ? null : person
}

function jobOf(row: unknown): Job {
  const end = dateAt(row, 'ends_at')
  return {
    company: textOf(at(row, 'company')),
    title: textOf(at(row, 'title')),
    start_date: dateAt(row, 'starts_at'),
    end_date: end,
    current: end === null,
  }
}

function studyOf(row: unknown): Study {
  return {
    school: textOf(at(row, 'school')),
    degree: textOf(at(row, 'degree_name')),
    field_of_study: textOf(at(row, 'field_of_study')),
    start_date: dateAt(row, 'starts_at'),
    end_date: dateAt(row, 'ends_at'),
  }
}

function dateAt(row: unknown, field: string): string | null {
  return yearMonthOf(at(row, field, 'year'), at(row, field, 'month'))
}
