import { merged } from '../_shared/merged.js'
import type { PortAnswer } from '../../core/sdk/index.js'
import { withCurrentFirst } from './current-job.js'
import { companyKey, folded } from './names.js'
import type { Job, PersonRecord, Profile, Study } from './record.js'

/** End date of an ongoing job while ends are compared: null would count as absent. */
const NOW = 'now'
const MOST_ITEMS = 200
const MOST_TEXT = 10_000

type Answer = PortAnswer<PersonRecord>
type Keyed<T> = T & { readonly key: string }

/** One profile merged from a person's records, and remarks on its sources; the remarks contain no values. */
interface MergedProfile {
  readonly profile: Profile
  readonly remarks: readonly string[]
}

/** Merges the records of one person field by field: the first vendor in order with a value wins. */
export function profileOf(answers: readonly [Answer, ...Answer[]]): MergedProfile {
  const jobs = keyed(
    answers.map(({ data }) => data.experience),
    sameJob,
  )
  const studies = keyed(
    answers.map(({ data }) => data.education),
    sameStudy,
  )
  const records = answers.map(({ provider, data: { employers: _, ...rest } }, at) => ({
    provider,
    data: {
      ...rest,
      experience: (jobs[at] ?? []).map((job) => ({ ...job, end_date: job.current ? NOW : job.end_date })),
      education: studies[at] ?? [],
    },
  }))
  const [first, ...others] = records
  if (first === undefined) throw new TypeError('a profile is made of at least one answer')
  const { data, sources, disagreements } = merged([first, ...others], { lists: { experience: 'key', education: 'key', skills: skillKey } })
  const heads = answers.map(({ data: { company, title } }) => ({ company, title }))
  const experience = data.experience.map((job) => ({
    ...job,
    end_date: job.end_date === NOW ? null : job.end_date,
    current: job.end_date === NOW,
  }))
  const current = withCurrentFirst(heads, experience)
  return {
    profile: {
      first_name: bounded(data.first_name),
      last_name: bounded(data.last_name),
      full_name: bounded(data.full_name ?? fullName(data)),
      headline: bounded(data.headline),
      company: bounded(current.company),
      title: bounded(current.title),
      location: bounded(data.location),
      summary: bounded(data.summary),
      experience: current.experience.slice(0, MOST_ITEMS).map(({ company, title, start_date, end_date }) => ({
        company: bounded(company),
        title: bounded(title),
        start_date,
        end_date,
      })),
      education: [...data.education]
        .sort((one, other) => (other.end_date ?? other.start_date ?? '').localeCompare(one.end_date ?? one.start_date ?? ''))
        .slice(0, MOST_ITEMS)
        .map(({ school, degree, field_of_study, start_date, end_date }) => ({
          school: bounded(school),
          degree: bounded(degree),
          field_of_study: bounded(field_of_study),
          start_date,
          end_date,
        })),
      skills: data.skills.slice(0, MOST_ITEMS),
      profile_image_url: data.profile_image_url,
      linkedin_url: data.linkedin_url,
    },
    remarks: [...sourcesIn(sources), ...disagreementsIn(disagreements)],
  }
}

/** Case-insensitive, but with punctuation: C, C++ and C# differ. */
const skillKey = (skill: string): string => skill.normalize('NFC').toLowerCase().replace(/\s+/g, ' ')

/** Whether every requested field is filled, so that no other vendor needs to be called. */
export function isFull(profile: Profile, includeImage: boolean): boolean {
  const { profile_image_url: image, ...rest } = profile
  return (!includeImage || image !== null) && Object.values(rest).every((value) => value !== null && value.length > 0)
}

function sourcesIn(sources: Readonly<Record<string, readonly string[] | undefined>>): string[] {
  const byVendors = new Map<string, string[]>()
  for (const [field, vendors = []] of Object.entries(sources)) {
    const key = vendors.join(' and ')
    byVendors.set(key, [...(byVendors.get(key) ?? []), field])
  }
  return [...byVendors].map(([vendors, fields]) => `From ${vendors}: ${fields.join(', ')}.`)
}

/** Items are named only by their list, since their keys are personal data. */
function disagreementsIn(
  disagreements: readonly { readonly field: string; readonly values: readonly { readonly provider: string }[] }[],
): string[] {
  const differing = disagreements.flatMap(({ field, values }) => {
    const name = field.replace(/^([^[]*)\[.*\]/s, '$1')
    const [first = '', ...others] = values.map(({ provider }) => provider)
    return name.endsWith('.current') || name.endsWith('.key')
      ? []
      : [`${name}: ${first} is taken, ${others.join(' and ')} ${others.length > 1 ? 'differ' : 'differs'}.`]
  })
  return [...new Set(differing)]
}

/** Items of several lists with a key each: equal for equal items, but never within one list. */
function keyed<T extends Job | Study>(lists: readonly (readonly T[])[], same: (one: T, other: T) => boolean): Keyed<T>[][] {
  const groups: { readonly key: string; readonly items: T[]; readonly lists: Set<number> }[] = []
  return lists.map((list, at) =>
    list.map((item) => {
      const known = groups.find((group) => !group.lists.has(at) && group.items.some((other) => same(item, other)))
      const group = known ?? { key: String(groups.length), items: [], lists: new Set<number>() }
      if (known === undefined) groups.push(group)
      group.items.push(item)
      group.lists.add(at)
      return { ...item, key: group.key }
    }),
  )
}

function sameJob(one: Job, other: Job): boolean {
  if (one.company === null || other.company === null || companyKey(one.company) !== companyKey(other.company)) return false
  return sameStart(one, other) ?? sameOrAbsent(one.title, other.title)
}

function sameStudy(one: Study, other: Study): boolean {
  if (one.school === null || other.school === null || folded(one.school) !== folded(other.school)) return false
  return sameStart(one, other) ?? sameOrAbsent(one.degree, other.degree)
}

/** A year equals any month in it; null when one is unknown. */
function sameStart({ start_date: one }: Job | Study, { start_date: other }: Job | Study): boolean | null {
  return one === null || other === null ? null : one.startsWith(other) || other.startsWith(one)
}

function sameOrAbsent(one: string | null, other: string | null): boolean {
  return one === null || other === null || folded(one) === folded(other)
}

function fullName({ first_name: first, last_name: last }: Pick<PersonRecord, 'first_name' | 'last_name'>): string | null {
  return first === null || last === null ? null : `${first} ${last}`
}

const bounded = (text: string | null): string | null => (text === null ? null : text.slice(0, MOST_TEXT))
