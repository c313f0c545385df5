import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Log } from '../runtime/log-events.js'
import { OWNER_SOCKET, ownerSocketPath, type SocketPath } from '../runtime/owner-socket.js'
import { socketLockState } from '../runtime/socket-lock.js'

/** Whoever may write the socket may connect to it: nobody but the user of the gateway. */
const OWNER_ONLY = 0o600
const NOT_OWNER = 0o177

export interface AdminSocket {
  /** Ends its connections and deletes it. */
  close(): void
}

/**
 * Listens on a Unix socket in the data folder, for the owner of the folder alone; one that a killed gateway left is taken over. Null, with a
 * warning in the log, where that cannot be: the gateway then serves without it.
 */
export async function openAdminSocket(folder: string, server: Server, log: Log): Promise<AdminSocket | null> {
  const file = join(folder, OWNER_SOCKET)
  // Made under a name of its own: the system deletes that name when the server closes, whatever has it then.
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

/** Throws for a socket on which somebody listens, and for what is no socket; one that is left over is replaced. */
async function assertFree(folder: string, file: string): Promise<void> {
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there === undefined) return
  if (!there.isSocket()) throw new Error(`${file} is there and is no socket: remove it`)
  const { path, close } = ownerSocketPath(folder)
  const state = await socketLockState(path).finally(close)
  if (state === 'taken') throw new Error(`another gateway listens at ${file}: give each gateway a data folder of its own`)
}

function listenOnSocket(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // The socket is made before this returns: nobody else can connect in between.
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
      // Another gateway may have taken its place.
      if (there?.ino === own.ino && there.dev === own.dev) rmSync(file, { force: true })
      server.close()
      server.closeAllConnections()
      close()
    },
  }
}
