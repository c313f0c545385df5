import { connect, createServer, type Server } from 'node:net'

/** Characters of a path that a Unix socket may have (unix(7): sun_path); a longer one would be cut off in silence. */
export const LONGEST_PATH = 107

/**
 * Takes a lock: listens on a Unix socket at this path. The operating system ends that with the process, whatever happens to it, and others see
 * it also from another process namespace. Rejects with an Error when the path is taken or longer than 107 bytes.
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

/** Whether the process that took a lock lives. Anything unclear, such as missing rights, counts as taken. */
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
