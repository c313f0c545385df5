import { readFileSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Below systemd's range for dynamic users (61184 and up) and above the ids of ordinary users. */
const FIRST = 61000
const LAST = 61183

/**
 * The folder that prevents users of jobs from entering `path`: the path itself or the nearest parent without search permission for other
 * users. Null when there is none, or when jobs run as the gateway's own user. Rejects when the path does not exist.
 */
export async function closedFolder(path: string): Promise<string | null> {
  if (process.geteuid?.() !== 0) return null
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return folder
    if (folder === dirname(folder)) return null
  }
}

/** Host users of jobs: under root each running job has its own user, so that per-user limits apply and jobs cannot read each other's files. */
export class JobUsers {
  readonly #free: number[]

  /** `passwd` is the content of /etc/passwd: users listed there are never used. */
  constructor(passwd: string = readFileSync('/etc/passwd', 'utf8')) {
    const known = new Set(passwd.split('\n').map((line) => Number(line.split(':')[2])))
    this.#free = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index).filter((uid) => !known.has(uid))
  }

  /** Takes a user that no other running job has; null when the gateway is not root and jobs run as its own user. Throws when none is free. */
  take(): number | null {
    if (process.geteuid?.() !== 0) return null
    const uid = this.#free.shift()
    if (uid === undefined) throw new Error(`no user id between ${FIRST} and ${LAST} is free for a sandbox job`)
    return uid
  }

  /** Releases a user; it is reused as late as possible. */
  release(uid: number | null): void {
    if (uid !== null) this.#free.push(uid)
  }
}
