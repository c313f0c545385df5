import {
  bestOf,
  commonsFile,
  itemsIn,
  qualifiersOf,
  statementsOf,
  textsOf,
  timesOf,
  yearMonthOf,
  type Entity,
  type Statement,
  type TimeValue,
} from '../wikidata/contract.js'
import { addressOf, canonicalLinkedIn } from './linkedin.js'
import { emptyPerson, type Job, type PersonRecord, type Study } from './record.js'

const HUMAN = 'Q5'
const [EMPLOYER, POSITION, OCCUPATION, EDUCATED_AT] = ['P108', 'P39', 'P106', 'P69']
const [GIVEN_NAME, FAMILY_NAME, RESIDENCE, WORK_LOCATION] = ['P735', 'P734', 'P551', 'P937']
const [LINKEDIN, IMAGE] = ['P6634', 'P18']
const [DEGREE, SUBJECT] = ['P512', 'P812']
const IMAGE_WIDTH = 512

type Names = ReadonlyMap<string, Entity>

export function isPerson({ claims }: Entity): boolean {
  return bestOf(claims, 'P31').some(({ value }) => value.type === 'item' && value.id === HUMAN)
}

/** The LinkedIn address of a person; null when the item has none. */
export function addressIn({ claims }: Entity): string | null {
  const [slug] = textsOf(claims, LINKEDIN)
  return slug === undefined ? null : canonicalLinkedIn(addressOf(slug.text))
}

/** Ids of the items whose labels `personOf` needs. */
export function itemsOf({ claims }: Entity): string[] {
  const properties = [EMPLOYER, POSITION, OCCUPATION, EDUCATED_AT, GIVEN_NAME, FAMILY_NAME, RESIDENCE, WORK_LOCATION]
  return itemsIn(claims, properties, [EMPLOYER, POSITION, DEGREE, SUBJECT])
}

/** A record from an item: employers and positions as jobs, schools, occupations as headline when there is no description. */
export function personOf(entity: Entity, names: Names, includeImage: boolean): PersonRecord {
  const { claims } = entity
  const best = (property: string) => bestOf(claims, property).flatMap((statement) => labelOf(statement, names) ?? [])
  const experience = [
    ...statementsOf(claims, EMPLOYER).map((statement) =>
      job(statement, { company: labelOf(statement, names), title: qualifier(statement, POSITION, names) }),
    ),
    ...statementsOf(claims, POSITION).map((statement) =>
      job(statement, { company: qualifier(statement, EMPLOYER, names), title: labelOf(statement, names) }),
    ),
  ].filter(({ company, title }) => company !== null || title !== null)
  const [image] = textsOf(claims, IMAGE)
  const [family] = best(FAMILY_NAME)
  return {
    ...emptyPerson(),
    first_name: best(GIVEN_NAME)[0] ?? null,
    last_name: family ?? null,
    full_name: entity.label ?? entity.aliases[0] ?? null,
    headline: entity.description ?? (best(OCCUPATION).join(', ') || null),
    location: best(RESIDENCE)[0] ?? best(WORK_LOCATION)[0] ?? null,
    experience,
    education: statementsOf(claims, EDUCATED_AT)
      .map((statement) => study(statement, names))
      .filter(({ school }) => school !== null),
    profile_image_url: includeImage && image !== undefined ? commonsFile(image.text, IMAGE_WIDTH) : null,
    linkedin_url: addressIn(entity),
    employers: aliasesOf(claims, names),
  }
}

/** Employers have other names too. */
function aliasesOf(claims: Entity['claims'], names: Names): string[] {
  return itemsIn(claims, [EMPLOYER], [EMPLOYER]).flatMap((id) => names.get(id)?.aliases ?? [])
}

/** A job without an end is ongoing only when its start is stated: undated past jobs are common. */
function job(statement: Statement, { company, title }: Pick<Job, 'company' | 'title'>): Job {
  const { start, end } = timesOf(statement)
  const ended = 'P582' in statement.qualifiers
  return { company, title, ...dates(start, end), current: !ended && (start !== null || statement.preferred) }
}

function study(statement: Statement, names: Names): Study {
  const { start, end, at } = timesOf(statement)
  return {
    school: labelOf(statement, names),
    degree: qualifier(statement, DEGREE, names),
    field_of_study: qualifier(statement, SUBJECT, names),
    ...dates(start, end ?? at),
  }
}

function dates(start: TimeValue | null, end: TimeValue | null) {
  return { start_date: yearMonthOf(start), end_date: yearMonthOf(end) }
}

function labelOf({ value }: Pick<Statement, 'value'>, names: Names): string | null {
  return value.type === 'item' ? (names.get(value.id)?.label ?? null) : null
}

function qualifier(statement: Statement, property: string, names: Names): string | null {
  const labels = qualifiersOf(statement, property, 'item').flatMap((value) => names.get(value.id)?.label ?? [])
  return labels.length === 0 ? null : labels.join(', ')
}
