import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Log } from '../runtime/log-events.js'
import { OWNER_SOCKET, ownerSocketPath, socketLockState, type SocketPath } from '../runtime/sockets.js'

/** Write permission on the socket is permission to connect: only for the user of the gateway. */
const OWNER_ONLY = 0o600
const NOT_OWNER = 0o177

export interface AdminSocket {
  /** Closes its connections and deletes it. */
  close(): void
}

/**
 * Listens on a Unix socket in the data folder, accessible to the folder's owner only; replaces one that a killed
 * gateway left. Null, with a warning in the log, where that fails: the gateway then serves without it.
 */
export async function openAdminSocket(folder: string, server: Server, log: Log): Promise<AdminSocket | null> {
  const file = join(folder, OWNER_SOCKET)
  // Created under a temporary name: Node deletes that name when the server closes, whatever file has it then.
  const name = `${OWNER_SOCKET}.${randomBytes(4).toString('hex')}`
  let at: SocketPath | null = null
  try {
    await assertFree(folder, file)
    at = ownerSocketPath(folder, name)
    await listenOnSocket(server, at.path)
    chmodSync(join(folder, name), OWNER_ONLY)
    const own = lstatSync(join(folder, name))
    renameSync(join(folder, name), file)
    return closing(server, { file, own, close: at.close })
  } catch (error) {
    server.close()
    at?.close()
    log('admin-socket-failed', 'the admin socket could not be opened; commands reach this gateway by CAPSTAN_ADMIN_TOKEN alone', {
      folder,
      error: error instanceof Error ? error.message : String(error),
    })
    return null
  }
}

/** Throws for a socket in use and for another kind of file; a stale socket may be replaced. */
async function assertFree(folder: string, file: string): Promise<void> {
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there === undefined) return
  if (!there.isSocket()) throw new Error(`${file} exists and is not a socket: remove it`)
  const { path, close } = ownerSocketPath(folder)
  const state = await socketLockState(path).finally(close)
  if (state === 'taken') throw new Error(`another gateway listens at ${file}: give each gateway its own data folder`)
}

function listenOnSocket(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // `listen` creates the socket synchronously, under this umask.
    const mask = process.umask(NOT_OWNER)
    try {
      server.listen(path, () => {
        server.off('error', reject)
        resolve()
      })
    } finally {
      process.umask(mask)
    }
  })
}

function closing(
  server: Server,
  { file, own, close }: { readonly file: string; readonly own: Stats; readonly close: () => void },
): AdminSocket {
  return {
    close: () => {
      const there = lstatSync(file, { throwIfNoEntry: false })
      // Another gateway may have replaced it.
      if (there?.ino === own.ino && there.dev === own.dev) rmSync(file, { force: true })
      server.close()
      server.closeAllConnections()
      close()
    },
  }
}
