import { connect, createServer, type Server } from 'node:net'

/** Longest path of a Unix socket in characters (unix(7): sun_path); a longer one would be truncated silently. */
export const LONGEST_PATH = 107

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

/** Whether the process that acquired a lock is alive. Anything unclear, such as missing permissions, counts as taken. */
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
