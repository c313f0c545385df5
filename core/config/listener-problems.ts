import type { Settings } from '../../config/default.js'
import type { ConfigProblem } from './types.js'

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Two listeners on one port, which the second could not have; `places` says where each setting was given. */
export function portProblems({ server }: Settings, places: ReadonlyMap<string, string>): ConfigProblem[] {
  const { host, port, admin_host, admin_port } = server
  const isShared = host === admin_host || EVERYWHERE.has(host) || EVERYWHERE.has(admin_host)
  if (admin_port === null || port !== admin_port || port === 0 || !isShared) return []
  const where = places.get('server.admin_port') ?? 'server.admin_port'
  const message = `server.admin_port must be another port than server.port, not ${admin_port} as well`
  return [{ where, message, level: 'error' }]
}
