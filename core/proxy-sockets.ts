import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { jobFolder } from './job-folder.js'
import type { GuardProxy } from './outbound/types.js'

/**
 * Sockets of the guard proxy, one for each user of programs, opened when first asked for: in a folder that this user alone can enter, because
 * the proxy reaches what the operator allowed to callers, and serves whoever can connect. Null is the gateway's own user.
 */
export function proxySockets(proxy: GuardProxy): (uid: number | null) => Promise<string> {
  const opened = new Map<number | null, Promise<string>>()
  const open = async (uid: number | null): Promise<string> => {
    const folder = await jobFolder()
    const path = join(folder, 'proxy')
    await proxy.listenOnSocket(path)
    if (uid !== null) await chown(folder, uid, uid)
    return path
  }
  return (uid) => {
    const known = opened.get(uid)
    if (known !== undefined) return known
    const made = open(uid)
    opened.set(uid, made)
    // A failure is tried again by the next asking.
    made.catch(() => opened.delete(uid))
    return made
  }
}
