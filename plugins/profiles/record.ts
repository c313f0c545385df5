import { nullable, Type, type Static } from '../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))
const date = (description: string) => text(`${description}: YYYY-MM, or YYYY where no month is known.`)

const job = {
  company: text('Employer.'),
  title: text('What the person is or was there.'),
  start_date: date('When it began'),
  end_date: text('When it ended: YYYY-MM, or YYYY; null for a job that goes on, and where it is not known.'),
}
const education = Type.Object({
  school: text('School or university.'),
  degree: text('Degree, several with commas.'),
  field_of_study: text('Subject, several with commas.'),
  start_date: date('When it began'),
  end_date: date('When it ended'),
})
const person = {
  first_name: text('First name.'),
  last_name: text('Last name.'),
  full_name: text('Whole name.'),
  headline: text('What the person says of themselves in one line, else what they are.'),
  company: text('Employer of the current job.'),
  title: text('Title of the current job.'),
  location: text('Where the person lives or works.'),
  summary: text('What the person says of themselves.'),
}
const more = {
  education: Type.Array(education, { description: 'Schools, the latest first.' }),
  skills: Type.Array(Type.String(), { description: 'Skills.' }),
  profile_image_url: text('Picture; null unless include_image is true. Addresses of some sources expire within hours.'),
  linkedin_url: text('LinkedIn profile.'),
}

/** The profile returned to callers. */
export const profile = Type.Object({
  ...person,
  experience: Type.Array(Type.Object(job), { description: 'Jobs: the current one first, then the latest.' }),
  ...more,
})

/** A vendor's record of a person. */
export const personRecord = Type.Object({
  ...person,
  experience: Type.Array(Type.Object({ ...job, current: Type.Boolean() })),
  ...more,
  /** Further names and domains of its employers, only for comparison. */
  employers: Type.Array(Type.String()),
})

export type Profile = Static<typeof profile>
export type PersonRecord = Static<typeof personRecord>
export type Job = PersonRecord['experience'][number]
export type Study = PersonRecord['education'][number]

/** An empty record. */
export function emptyPerson(): PersonRecord {
  return {
    first_name: null,
    last_name: null,
    full_name: null,
    headline: null,
    company: null,
    title: null,
    location: null,
    summary: null,
    experience: [],
    education: [],
    skills: [],
    profile_image_url: null,
    linkedin_url: null,
    employers: [],
  }
}
