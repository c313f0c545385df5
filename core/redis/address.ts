import { ConfigError } from '../problems/errors.js'
import { parseUrl } from '../sdk/index.js'

export interface RedisAddress {
  readonly host: string
  readonly port: number
  /** Empty for Redis's default user. */
  readonly username: string
  /** Empty for none. */
  readonly password: string
  readonly db: number
  readonly tls: boolean
}

/**
 * Parses `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS. Throws a ConfigError that names the
 * setting and never shows the address, which may contain a password.
 */
export function redisAddress(text: string, setting: string): RedisAddress {
  const refuse = (message: string): ConfigError => new ConfigError([{ where: setting, message, level: 'error' }])
  const url = parseUrl(text)
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '')
    throw refuse('must be redis://[user:password@]host[:port][/database], with special characters of the password percent-encoded')
  // Client options in the address could override the timeouts that keep a slow Redis from delaying calls.
  if (url.search !== '' || url.hash !== '') throw refuse('takes no ?options and no #fragment (percent-encode ? and # in a password)')
  const [, db] = /^\/?(\d{0,5})$/.exec(url.pathname) ?? []
  if (db === undefined) throw refuse('must end in the number of a database, as in redis://host:6379/0, or in none')
  if (url.username !== '' && url.password === '') throw refuse('names a user without a password')
  try {
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? 6379 : Number(url.port),
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      db: Number(db),
      tls: url.protocol === 'rediss:',
    }
  } catch (error) {
    if (error instanceof URIError) throw refuse('has a percent sign in its user or password that is not part of an encoding')
    throw error
  }
}
