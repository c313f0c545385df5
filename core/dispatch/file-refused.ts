import { Fault, isTransientStatus } from '../sdk/index.js'

/** The Fault for a file's address that answered with an error status. */
export function fileRefused(status: number): Fault {
  const kind = status === 404 || status === 410 ? 'missing' : 'blocked'
  return new Fault(kind, `The file's address answered with status ${String(status)}.`, { unavailable: isTransientStatus(status) })
}
