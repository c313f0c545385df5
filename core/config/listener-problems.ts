import type { Settings } from '../../config/default.js'
import type { ConfigProblem } from '../problems/errors.js'

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
/** Least characters of an admin token: fewer can be guessed. */
const TOKEN_LENGTH = 16

/** Problems of the combined listener settings; `places`: where each was given. */
export function listenerProblems({ server }: Settings, places: ReadonlyMap<string, string>): ConfigProblem[] {
  return [...portProblems(server, places), ...tokenProblems(server, places)]
}

/** Both listeners on one port. */
function portProblems({ host, port, admin_host, admin_port }: Settings['server'], places: ReadonlyMap<string, string>): ConfigProblem[] {
  const isShared = host === admin_host || EVERYWHERE.has(host) || EVERYWHERE.has(admin_host)
  if (admin_port === null || port !== admin_port || port === 0 || !isShared) return []
  const where = places.get('server.admin_port') ?? 'server.admin_port'
  const message = `server.admin_port must be another port than server.port, not ${admin_port} as well`
  return [{ where, message, level: 'error' }]
}

/** A short admin token: an error where other machines can reach the admin API, directly or through a local proxy, else a warning. */
function tokenProblems(server: Settings['server'], places: ReadonlyMap<string, string>): ConfigProblem[] {
  const { admin_token: token, admin_api, host, admin_host, trusted_proxies } = server
  if (token === null || token.length >= TOKEN_LENGTH) return []
  const isPublic = admin_api === 'public'
  const isReachable = !isLoopback(isPublic ? host : admin_host) || (isPublic && trusted_proxies.length > 0)
  const where = places.get('server.admin_token') ?? 'server.admin_token'
  const message = `server.admin_token has ${token.length} characters and can be guessed: make it at least ${TOKEN_LENGTH}, for example with openssl rand -hex 24`
  return [{ where, message, level: isReachable ? 'error' : 'warning' }]
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
