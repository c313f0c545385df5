/**
 * A connection string as it may be shown: no password, no options. Never throws, whatever the text. A password that nobody
 * percent-encoded may hold any character, so nothing before the last @ is shown but what is plainly a user's name.
 */
export function redacted(uri: string): string {
  const [, scheme, rest = ''] = /^(mongodb(?:\+srv)?:\/\/)(.*)$/s.exec(uri) ?? []
  if (scheme === undefined) return 'an address that does not begin with mongodb://'
  const at = rest.lastIndexOf('@')
  const user = at < 0 ? '' : `${/^[\w.-]*(?=[:@])/.exec(rest)?.[0] ?? ''}:***@`
  const [place = ''] = /^[^/?#]*(?:\/[^?#]*)?/.exec(rest.slice(at + 1)) ?? []
  return `${scheme}${user}${place}`
}
