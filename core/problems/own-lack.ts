import { Problem } from './problem.js'

/** Errors that say nothing of what was asked for, only of this machine (errno(3), getaddrinfo(3)). */
const LACKS: ReadonlyMap<string, string> = new Map([
  ['EMFILE', 'file descriptors (ulimit -n, LimitNOFILE=)'],
  ['ENFILE', 'file descriptors of the machine (fs.file-max)'],
  ['ENOSPC', 'room for temporary files (TMPDIR)'],
  ['EDQUOT', 'room for temporary files (the quota of its user below TMPDIR)'],
  ['ENOBUFS', 'network buffers'],
  ['ENOMEM', 'memory'],
  ['EADDRNOTAVAIL', 'local ports (net.ipv4.ip_local_port_range)'],
  ['EAI_AGAIN', 'an answer of its name servers'],
  ['EAI_MEMORY', 'memory'],
])
/** An error and what caused it. */
const DEEPEST = 6

/** Problem `overloaded` when something failed for a lack of this machine's own, which no target and no provider is to blame for; else null. */
export function ownLack(error: unknown): Problem | null {
  let each = error
  for (let depth = 0; depth < DEEPEST; depth++) {
    const lack = LACKS.get(codeOf(each))
    if (lack !== undefined)
      return new Problem('overloaded', `The gateway lacks ${lack}.`, {
        retryAfterSeconds: 5,
        internal: codeOf(each),
        cause: error,
      })
    if (!(each instanceof Error)) return null
    each = each.cause
  }
  return null
}

/** Whether an error says that no name server of this machine answers: nothing is then known of any name, neither that it is there nor that it is not. */
export function lacksNames(error: unknown): boolean {
  return ownLack(error)?.options.internal === 'EAI_AGAIN'
}

/** The code of a system error (`ECONNREFUSED`, `ENOTFOUND`), or an empty string. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
