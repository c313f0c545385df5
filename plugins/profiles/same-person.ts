import { canonicalLinkedIn } from './linkedin.js'
import { companyKey, folded, sameName } from './names.js'
import type { PersonRecord } from './record.js'

type Compared = Pick<PersonRecord, 'first_name' | 'last_name' | 'full_name' | 'company' | 'linkedin_url' | 'employers'> & {
  readonly experience: readonly Pick<PersonRecord['experience'][number], 'company' | 'current'>[]
  readonly education: readonly Pick<PersonRecord['education'][number], 'school'>[]
}

/**
 * Groups records by person. Records with a LinkedIn address belong together exactly when it is equal. One without
 * joins another of the same name when a company or a school matches and their current employers do not differ; if it
 * would join two people it stays separate, since it may be either. The grouping does not depend on the order of
 * records; people and their records keep it.
 */
export function peopleOf<R extends { readonly data: Compared }>(records: readonly R[]): R[][] {
  const withAddress = records.filter(({ data }) => addressIn(data) !== null)
  const addressed = grouped(withAddress, (one, other) => addressIn(one.data) === addressIn(other.data))
  const loose = consistent(records.filter((record) => !withAddress.includes(record)))
  const joins = loose.map((group) => ({
    group,
    people: addressed.filter((person) => anyPair(group, person, agree) && !anyPair(group, person, contradict)),
  }))
  const joining = (person: readonly R[]): R[][] => {
    const near = joins.filter(({ people }) => people.length === 1 && people[0] === person).map(({ group }) => group)
    return near.filter((group) => !near.some((other) => other !== group && anyPair(group, other, contradict)))
  }
  const joined = new Set(addressed.flatMap(joining))
  const people = [
    ...addressed.map((person) => [...person, ...joining(person).flat()]),
    ...joins.flatMap(({ group, people: near }) => (joined.has(group) ? [] : near.length > 1 ? group.map((one) => [one]) : [group])),
  ]
  const place = (record: R | undefined): number => (record === undefined ? records.length : records.indexOf(record))
  return people.map((person) => person.sort((one, other) => place(one) - place(other))).sort(([one], [other]) => place(one) - place(other))
}

/** Whether a record matches the request: by address, or by name with the company among its employers or schools. */
export function matchesRequest(
  record: Compared,
  request: {
    readonly linkedin_url: string | null
    readonly first_name: string | null
    readonly last_name: string | null
    readonly company: string | null
  },
): boolean {
  if (request.linkedin_url !== null) return addressIn(record) === request.linkedin_url
  const name = `${request.first_name ?? ''} ${request.last_name ?? ''}`
  const wanted = companyKey(request.company ?? '')
  const schools = record.education.map(({ school }) => companyKey(school ?? ''))
  return (
    wanted !== '' && namesOf(record).some((other) => sameName(name, other)) && (companiesOf(record).has(wanted) || schools.includes(wanted))
  )
}

/** Whether two records may be merged: the same name, a company or a school in common, and no different current employers. */
export function agree(one: Compared, other: Compared): boolean {
  if (!namesOf(one).some((name) => namesOf(other).some((another) => sameName(name, another)))) return false
  if (contradict(one, other)) return false
  return overlap(companiesOf(one), companiesOf(other)) || overlap(schoolsOf(one), schoolsOf(other))
}

/** Whether both records state a current employer, and they differ. */
function contradict(one: Compared, other: Compared): boolean {
  const [now, otherNow] = [currentOf(one), currentOf(other)]
  if (now.size === 0 || otherNow.size === 0) return false
  return !overlap(now, otherNow) && !overlap(now, furtherNames(other)) && !overlap(furtherNames(one), otherNow)
}

/** Current employers of a record, normalised for comparison. */
function currentOf({ company, experience }: Compared): Set<string> {
  return keys([company, ...experience.filter(({ current }) => current).map((job) => job.company)], companyKey)
}

/** Further names and domains that belong to no past employer, and so may belong to the current one. */
function furtherNames({ employers, experience }: Compared): Set<string> {
  const past = keys(
    experience.filter(({ current }) => !current).map((job) => job.company),
    companyKey,
  )
  return new Set([...keys(employers, companyKey)].filter((key) => !past.has(key)))
}

/** The names of a record's person. */
export function namesOf({
  full_name: whole,
  first_name: first,
  last_name: last,
}: Pick<Compared, 'full_name' | 'first_name' | 'last_name'>): string[] {
  return [whole, first === null || last === null ? null : `${first} ${last}`].filter((name) => name !== null)
}

/** Names of all employers of a record, normalised for comparison. */
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

/** The connected components of a list. */
function grouped<R>(list: readonly R[], together: (one: R, other: R) => boolean): R[][] {
  let groups: R[][] = []
  for (const item of list) {
    const near = groups.filter((group) => group.some((other) => together(item, other)))
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), item]]
  }
  return groups
}

/**
 * The groups of matching records. A record that matches two contradicting ones stays separate, and so does any other
 * that would join them.
 */
function consistent<R extends { readonly data: Compared }>(records: readonly R[]): R[][] {
  const groups = grouped(records, (one, other) => agree(one.data, other.data))
  return groups.flatMap((group) => {
    if (!anyPair(group, group, contradict)) return [group]
    const between = group.filter((record) => {
      const near = group.filter((other) => other !== record && agree(record.data, other.data))
      return anyPair(near, near, contradict)
    })
    if (between.length === 0) return group.map((one) => [one])
    return [...between.map((one) => [one]), ...consistent(group.filter((record) => !between.includes(record)))]
  })
}

function anyPair<R extends { readonly data: Compared }>(
  group: readonly R[],
  others: readonly R[],
  holds: (one: Compared, other: Compared) => boolean,
): boolean {
  return group.some((one) => others.some((other) => one !== other && holds(one.data, other.data)))
}
