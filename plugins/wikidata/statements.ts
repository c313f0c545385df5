import { isRecord } from '../../core/sdk/index.js'
import { valueOf, type TextValue, type TimeValue, type Value } from './values.js'

/** What an entity states with one property. */
export interface Statement {
  readonly value: Value
  readonly preferred: boolean
  readonly qualifiers: Readonly<Record<string, readonly Value[]>>
}

/** Claims of an entity by property. */
export type Claims = Readonly<Record<string, unknown>>

/** Every value of a property with its qualifiers, in the order of the entity: past ones too, deprecated ones never. */
export function statementsOf(claims: Claims, property: string): Statement[] {
  return ranked(claims, property).flatMap(({ value, ...rest }) => (value === null ? [] : [{ value, ...rest }]))
}

/**
 * The values that count as true now: those of rank preferred, without any those of rank normal. A preferred statement that there is no value, or
 * an unknown one, leaves none.
 */
export function bestOf(claims: Claims, property: string): Statement[] {
  const all = ranked(claims, property)
  const preferred = all.filter((each) => each.preferred)
  return (preferred.length > 0 ? preferred : all).flatMap(({ value, ...rest }) => (value === null ? [] : [{ value, ...rest }]))
}

/** Texts among the values of a property that count as true now. */
export function textsOf(claims: Claims, property: string): TextValue[] {
  return bestOf(claims, property).flatMap(({ value }) => (value.type === 'text' ? [value] : []))
}

/** The qualifiers of a statement that are of one type, such as the times of P580. */
export function qualifiersOf<T extends Value['type']>(
  { qualifiers }: Pick<Statement, 'qualifiers'>,
  property: string,
  type: T,
): Extract<Value, { type: T }>[] {
  return (qualifiers[property] ?? []).filter((value): value is Extract<Value, { type: T }> => value.type === type)
}

/** When something began (P580) and ended (P582), and the point in time it was true at (P585). */
export function timesOf(statement: Statement): Record<'start' | 'end' | 'at', TimeValue | null> {
  const first = (property: string) => qualifiersOf(statement, property, 'time')[0] ?? null
  return { start: first('P580'), end: first('P582'), at: first('P585') }
}

function ranked(claims: Claims, property: string) {
  const list = Object.hasOwn(claims, property) ? claims[property] : []
  return (Array.isArray(list) ? list : []).flatMap((claim: unknown) => {
    if (!isRecord(claim) || (claim['rank'] !== 'preferred' && claim['rank'] !== 'normal')) return []
    return [{ value: valueOf(claim['mainsnak']), preferred: claim['rank'] === 'preferred', qualifiers: qualifiersIn(claim['qualifiers']) }]
  })
}

function qualifiersIn(qualifiers: unknown): Record<string, Value[]> {
  if (!isRecord(qualifiers)) return {}
  return Object.fromEntries(
    Object.entries(qualifiers).map(([property, snaks]) => [
      property,
      (Array.isArray(snaks) ? snaks : []).flatMap((snak: unknown) => valueOf(snak) ?? []),
    ]),
  )
}
