import type { Settings } from '../config/types.js'
import { ConfigError } from '../problems/errors.js'

/** The main or the admin port. */
export type PortRole = 'main' | 'admin'

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'is taken by another program'],
  ['EACCES', 'is not permitted for this user'],
  ['EADDRNOTAVAIL', 'is not an address of this machine'],
  ['EINVAL', 'is not an address to listen on'],
  ['ENOTFOUND', 'is not a known host'],
  ['EAI_AGAIN', 'cannot be looked up at the moment'],
])

/** The error for an unavailable host or port, with the setting that changes it; null for any other error. */
export function listenError(error: unknown, role: PortRole, { server }: Pick<Settings, 'server'>): ConfigError | null {
  const reason = error instanceof Error && 'code' in error ? REASONS.get(error.code) : undefined
  if (reason === undefined || !(error instanceof Error) || !('code' in error)) return null
  const [prefix, variable] = role === 'main' ? ['', 'CAPSTAN'] : ['admin_', 'CAPSTAN_ADMIN']
  const host = role === 'main' ? server.host : server.admin_host
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES')
    return refusal(`server.${prefix}host`, `${host} ${reason}: set ${variable}_HOST to an address of this machine, or to 0.0.0.0 for all`)
  const place = 'port' in error ? `${host}:${String(error.port)}` : host
  return refusal(`server.${prefix}port`, `${place} ${reason}: set ${variable}_PORT (0 picks a free port), or stop the other program`)
}

function refusal(where: string, message: string): ConfigError {
  return new ConfigError([{ where, message, level: 'error' }])
}
