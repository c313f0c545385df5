import { nullable, Type, type Static } from '../../core/sdk/index.js'

const text = (description: string) => nullable(Type.String({ description }))
const date = (description: string) => text(`${description}: YYYY-MM, or YYYY if the month is unknown.`)

const job = {
  company: text('Employer.'),
  title: text('Job title.'),
  start_date: date('Start date'),
  end_date: text('End date: YYYY-MM, or YYYY; null for a current job, and when unknown.'),
}
const education = Type.Object({
  school: text('School or university.'),
  degree: text('Degree; several are separated by commas.'),
  field_of_study: text('Field of study; several are separated by commas.'),
  start_date: date('Start date'),
  end_date: date('End date'),
})
const person = {
  first_name: text('First name.'),
  last_name: text('Last name.'),
  full_name: text('Full name.'),
  headline: text('One line by the person about themselves, otherwise a short description of the person.'),
  company: text('Employer of the current job.'),
  title: text('Title of the current job.'),
  location: text('Location where the person lives or works.'),
  summary: text('Text by the person about themselves.'),
}
const more = {
  education: Type.Array(education, { description: 'Education, latest first.' }),
  skills: Type.Array(Type.String(), { description: 'Skills.' }),
  profile_image_url: text('URL of the profile image; null unless include_image is true. URLs from some sources expire within hours.'),
  linkedin_url: text('LinkedIn profile URL.'),
}

/** The profile returned to callers. */
export const profile = Type.Object({
  ...person,
  experience: Type.Array(Type.Object(job), { description: 'Jobs: current first, then latest first.' }),
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
