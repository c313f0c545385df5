import { unnamedDatabase } from '../../runtime/unnamed-database.js'

/**
 * A connection string without password and options, safe to show. Never throws. A password that is not percent-encoded
 * may contain any character, so before the last @ only an unambiguous user name is shown.
 */
export function redacted(uri: string): string {
  const [, scheme, rest = ''] = /^(mongodb(?:\+srv)?:\/\/)(.*)$/s.exec(uri) ?? []
  if (scheme === undefined) return 'an address that does not begin with mongodb://'
  const at = rest.lastIndexOf('@')
  const user = at < 0 ? '' : `${/^[\w.-]*(?=[:@])/.exec(rest)?.[0] ?? ''}:***@`
  const [place = ''] = /^[^/?#]*(?:\/[^?#]*)?/.exec(rest.slice(at + 1)) ?? []
  return `${scheme}${user}${place}`
}

/** A redacted address that always names its database. */
export function shownPlace(uri: string): string {
  const unnamed = unnamedDatabase(uri)
  return unnamed === undefined ? redacted(uri) : `${redacted(uri).replace(/\/$/, '')}/${unnamed}`
}
