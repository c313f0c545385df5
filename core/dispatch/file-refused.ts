import { Fault, isTransientStatus } from '../sdk/index.js'

/** What a file's address that answered with an error status is to the caller. */
export function fileRefused(status: number): Fault {
  const kind = status === 404 || status === 410 ? 'missing' : 'blocked'
  return new Fault(kind, `The file's address answered with status ${String(status)}.`, { unavailable: isTransientStatus(status) })
}
