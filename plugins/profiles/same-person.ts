import { canonicalLinkedIn } from './linkedin.js'
import { companyKey, folded, sameName, samePlace } from './names.js'
import type { PersonRecord } from './record.js'

type Compared = Pick<PersonRecord, 'first_name' | 'last_name' | 'full_name' | 'company' | 'location' | 'linkedin_url' | 'employers'> & {
  readonly experience: readonly Pick<PersonRecord['experience'][number], 'company'>[]
  readonly education: readonly Pick<PersonRecord['education'][number], 'school'>[]
}

/**
 * Records by person. Those with a LinkedIn address are one person exactly when it is the same. One without joins another of the same name when a
 * company, a school or the place agrees; where it would join two people with different addresses it stays alone, since it may be either. Which
 * records are together does not depend on their order; people and their records keep it.
 */
export function peopleOf<R extends { readonly data: Compared }>(records: readonly R[]): R[][] {
  const withAddress = records.filter(({ data }) => addressIn(data) !== null)
  const addressed = grouped(withAddress, (one, other) => addressIn(one.data) === addressIn(other.data))
  const loose = grouped(
    records.filter((record) => !withAddress.includes(record)),
    (one, other) => agree(one.data, other.data),
  )
  const joins = loose.map((group) => ({
    group,
    people: addressed.filter((person) => group.some((one) => person.some((other) => agree(one.data, other.data)))),
  }))
  const people = [
    ...addressed.map((person) => [
      ...person,
      ...joins.flatMap(({ group, people: near }) => (near.length === 1 && near[0] === person ? group : [])),
    ]),
    ...joins.flatMap(({ group, people: near }) => (near.length === 0 ? [group] : near.length === 1 ? [] : group.map((one) => [one]))),
  ]
  const place = (record: R | undefined): number => (record === undefined ? records.length : records.indexOf(record))
  return people.map((person) => person.sort((one, other) => place(one) - place(other))).sort(([one], [other]) => place(one) - place(other))
}

/** Whether a record is of the person asked for: of the address, or of the name with the company among its employers or schools. */
export function isAsked(
  record: Compared,
  asked: {
    readonly linkedin_url: string | null
    readonly first_name: string | null
    readonly last_name: string | null
    readonly company: string | null
  },
): boolean {
  if (asked.linkedin_url !== null) return addressIn(record) === asked.linkedin_url
  const name = `${asked.first_name ?? ''} ${asked.last_name ?? ''}`
  const wanted = companyKey(asked.company ?? '')
  const schools = record.education.map(({ school }) => companyKey(school ?? ''))
  return (
    wanted !== '' && namesOf(record).some((other) => sameName(name, other)) && (companiesOf(record).has(wanted) || schools.includes(wanted))
  )
}

/** Whether two records may be put together: one name, and a company, a school or the place in common. */
export function agree(one: Compared, other: Compared): boolean {
  if (!namesOf(one).some((name) => namesOf(other).some((another) => sameName(name, another)))) return false
  if (overlap(companiesOf(one), companiesOf(other)) || overlap(schoolsOf(one), schoolsOf(other))) return true
  return one.location !== null && other.location !== null && samePlace(one.location, other.location)
}

/** The names a record has for its person. */
export function namesOf({
  full_name: whole,
  first_name: first,
  last_name: last,
}: Pick<Compared, 'full_name' | 'first_name' | 'last_name'>): string[] {
  return [whole, first === null || last === null ? null : `${first} ${last}`].filter((name) => name !== null)
}

/** Names of all employers of a record, in the form for comparison. */
function companiesOf({ company, experience, employers }: Pick<Compared, 'company' | 'employers' | 'experience'>): Set<string> {
  return keys([company, ...experience.map((job) => job.company), ...employers], companyKey)
}

function schoolsOf({ education }: Compared): Set<string> {
  return keys(
    education.map(({ school }) => school),
    folded,
  )
}

function keys(texts: readonly (string | null)[], key: (text: string) => string): Set<string> {
  return new Set(texts.flatMap((text) => (text === null ? [] : [key(text)])).filter((text) => text !== ''))
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((key) => other.has(key))
}

function addressIn({ linkedin_url: address }: Compared): string | null {
  return address === null ? null : canonicalLinkedIn(address)
}

/** The parts of a list that hang together. */
function grouped<R>(list: readonly R[], together: (one: R, other: R) => boolean): R[][] {
  let groups: R[][] = []
  for (const item of list) {
    const near = groups.filter((group) => group.some((other) => together(item, other)))
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), item]]
  }
  return groups
}
