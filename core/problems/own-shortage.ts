import { Problem } from './problem.js'

/** Errors of this machine that say nothing about the request (errno(3), getaddrinfo(3)). */
const SHORTAGES: ReadonlyMap<string, string> = new Map([
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
/** Longest chain of causes that is followed. */
const DEEPEST = 6

/** Problem `overloaded` when the error was caused by a shortage of resources of this machine, not by a target or provider; else null. */
export function ownShortage(error: unknown): Problem | null {
  let each = error
  for (let depth = 0; depth < DEEPEST; depth++) {
    const shortage = SHORTAGES.get(codeOf(each))
    if (shortage !== undefined)
      return new Problem('overloaded', `The gateway lacks ${shortage}.`, {
        retryAfterSeconds: 5,
        internal: codeOf(each),
        cause: error,
      })
    if (!(each instanceof Error)) return null
    each = each.cause
  }
  return null
}

/** True when no name server of this machine answers, so that the existence of any name is unknown. */
export function noNameServer(error: unknown): boolean {
  return ownShortage(error)?.options.internal === 'EAI_AGAIN'
}

/** The code of a system error (`ECONNREFUSED`, `ENOTFOUND`), or an empty string. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
