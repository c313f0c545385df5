import { unnamedDatabase } from '../../runtime/unnamed-database.js'
import { redacted } from './redacted.js'

/** A redacted address that always names its database. */
export function shownPlace(uri: string): string {
  const unnamed = unnamedDatabase(uri)
  return unnamed === undefined ? redacted(uri) : `${redacted(uri).replace(/\/$/, '')}/${unnamed}`
}
