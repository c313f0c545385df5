import { isRecord } from '../../core/sdk/index.js'
import { valueOf, type TextValue, type TimeValue, type Value } from './values.js'

/** One statement of a property. */
export interface Statement {
  readonly value: Value
  readonly preferred: boolean
  readonly qualifiers: Readonly<Record<string, readonly Value[]>>
}

/** Claims of an entity by property. */
export type Claims = Readonly<Record<string, unknown>>

/** Every value of a property with its qualifiers, in the order of the entity: also past ones, never deprecated ones. */
export function statementsOf(claims: Claims, property: string): Statement[] {
  return ranked(claims, property).flatMap(({ value, ...rest }) => (value === null ? [] : [{ value, ...rest }]))
}

/**
 * The current values: those of preferred rank, otherwise those of normal rank. A preferred statement without a value,
 * or with an unknown one, leaves none.
 */
export function bestOf(claims: Claims, property: string): Statement[] {
  const all = ranked(claims, property)
  const preferred = all.filter((each) => each.preferred)
  return (preferred.length > 0 ? preferred : all).flatMap(({ value, ...rest }) => (value === null ? [] : [{ value, ...rest }]))
}

/** Texts among the current values of a property. */
export function textsOf(claims: Claims, property: string): TextValue[] {
  return bestOf(claims, property).flatMap(({ value }) => (value.type === 'text' ? [value] : []))
}

/** The qualifiers of a statement with one type, such as the times of P580. */
export function qualifiersOf<T extends Value['type']>(
  { qualifiers }: Pick<Statement, 'qualifiers'>,
  property: string,
  type: T,
): Extract<Value, { type: T }>[] {
  return (qualifiers[property] ?? []).filter((value): value is Extract<Value, { type: T }> => value.type === type)
}

/** Start (P580), end (P582) and point in time (P585) of a statement. */
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
