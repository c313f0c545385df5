import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LONGEST_PATH } from './socket-lock.js'

/** Name of the socket of a running gateway in its data folder. */
export const OWNER_SOCKET = 'admin.sock'

/** A path by which a socket can be opened. A client calls `close` once it is connected, a server when it stops listening. */
export interface SocketPath {
  readonly path: string
  readonly close: () => void
}

/**
 * The socket of a data folder, or another one in it, by a path that is short enough. A longer one uses the descriptor of the open folder,
 * which has a short path on Linux. Throws the error of the file system where the folder cannot be opened, and where there is no such path.
 */
export function ownerSocketPath(folder: string, name = OWNER_SOCKET): SocketPath {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= LONGEST_PATH) return { path, close: () => undefined }
  if (process.platform !== 'linux') throw new Error(`the path ${path} is longer than ${LONGEST_PATH} bytes, more than a socket may have`)
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}/${name}`, close: () => closeSync(descriptor) }
}
