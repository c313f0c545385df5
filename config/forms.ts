/** What texts of settings must look like, and that in words. */

export const webAddress = {
  pattern: /^https?:\/\/[^\s/?#]\S*$/i,
  says: 'an address that begins with http:// or https://',
  kind: 'url',
} as const
export const host = { pattern: /^[^\s/]+$/, says: 'an IP address or a host name, without a port', kind: 'host' } as const
export const service = { pattern: /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i, says: 'host:port', kind: 'service' } as const
export const network = {
  pattern: /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f.]*:[0-9a-f:.]*)(?:\/\d{1,3})?$/i,
  says: 'an IP address or a CIDR range such as 10.0.0.0/8',
  kind: 'network',
} as const

export const folder = { pattern: /^(?![a-z][a-z0-9+.-]+:)/i, says: 'a folder such as ./data' } as const
/** Of a key that services give out. */
export const word = { pattern: /^\S+$/, says: 'one word without spaces' } as const
export const origin = {
  pattern: /^(?:\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#]\S*)$/i,
  says: 'an origin as browsers send it, such as https://app.example.com, or *',
  kind: 'origin',
} as const
export const allowed = {
  pattern: /^[\w.:[\]*-]+(?:\/\d{1,3})?$/,
  says: 'host, host:port or a CIDR range such as 10.0.0.0/8',
  kind: 'allowed',
} as const
export const resolver = { ...service, says: 'ip:port', kind: 'resolver' } as const
export const storeAddress = {
  pattern: /^(?:sqlite:.+|mongodb(?:\+srv)?:\/\/.+)$/,
  says: 'sqlite:PATH or mongodb://HOST/DATABASE',
  kind: 'store',
} as const
export const redisAddress = {
  pattern: /^rediss?:\/\/[^?#]+$/,
  says: 'redis://[user:password@]host[:port][/database], without ?options',
  kind: 'redis',
} as const
export const filePlace = {
  pattern: /^(?:file:.+|s3:\/\/.+)$/,
  says: 'file:PATH or s3://bucket?region=…&endpoint=…',
  kind: 'artifacts',
} as const
