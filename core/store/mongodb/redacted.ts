/** A connection string as it may be shown: no password, no options. Never throws, whatever the text. */
export function redacted(uri: string): string {
  const match = /^(mongodb(?:\+srv)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(\/[^?#]*)?/.exec(uri)
  if (match === null) return 'an address that does not begin with mongodb://'
  const [, scheme = '', login, hosts = '', path = ''] = match
  const user = login?.split(':')[0]
  return `${scheme}${user === undefined ? '' : `${user}:***@`}${hosts}${path}`
}
