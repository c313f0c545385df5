import { connect, createServer, type Server } from 'node:net'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

/** Longest path of a Unix socket in characters (unix(7): sun_path); a longer one would be truncated silently. */
const LONGEST_PATH = 107

/**
 * Acquires a lock: listens on a Unix socket at this path. The operating system releases it when the process ends for any reason, and it works
 * across process namespaces. Rejects with an Error when the path is in use or longer than 107 bytes.
 */
export function takeSocketLock(file: string): Promise<Server> {
  if (Buffer.byteLength(file) > LONGEST_PATH) return Promise.reject(new Error(`the path is longer than ${LONGEST_PATH} bytes`))
  const server = createServer((socket) => void socket.on('error', () => undefined).destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(file, () => {
      server.off('error', reject).unref()
      resolve(server)
    })
  })
}

/** Whether the process that acquired a lock is alive. Anything unclear, such as no permission, counts as taken. */
export function socketLockState(file: string): Promise<'taken' | 'left' | 'missing'> {
  return new Promise((resolve) => {
    const socket = connect(file)
    socket.once('connect', () => {
      socket.destroy()
      resolve('taken')
    })
    socket.once('error', (error) => {
      const code = 'code' in error ? error.code : ''
      resolve(code === 'ECONNREFUSED' ? 'left' : code === 'ENOENT' ? 'missing' : 'taken')
    })
  })
}

/** Name of the socket of a running gateway in its data folder. */
export const OWNER_SOCKET = 'admin.sock'

/** A path by which a socket can be opened. `close` it once connected, or as a server when you stop listening. */
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
