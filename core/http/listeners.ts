import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import type { Settings } from '../config/types.js'
import type { Log } from '../runtime/log-events.js'
import { OWNER_SOCKET, ownerSocketPath, socketLockState, type SocketPath } from '../runtime/sockets.js'
import { Turns } from '../runtime/turns.js'
import { boundAddressConnections } from './client-address.js'
import { closePort, Connections } from './connections.js'
import { listenError } from './listen-error.js'
import { httpServer } from './server.js'

const HIGHEST_PORT = 65_535
/** Most connections not yet accepted: others are delayed by a second. Linux limits it to `net.core.somaxconn`. */
const BACKLOG = 4_096

export interface Handlers {
  readonly listener: RequestListener
  readonly adminListener: RequestListener
  /** For the socket in the data folder, which only the gateway's owner can open. */
  readonly ownerListener: RequestListener
}

/** The two ports of a gateway and its socket. Their handlers can be replaced while they are open. */
export interface Listeners {
  readonly main: Server
  /** Of the main port. */
  readonly connections: Connections
  readonly url: string
  readonly adminUrl: string
  setHandlers(handlers: Handlers): void
  /** Closes the main port to new connections, within half a second; open ones stay. */
  closePort(): Promise<void>
  /** Closes everything without waiting. */
  close(): void
}

export interface ListenersOptions {
  readonly publicUrl: () => string
  readonly log: Log
}

/**
 * Opens both ports, and the socket in the data folder, which is optional. Rejects with a ConfigError that names the
 * setting when a port is unavailable.
 */
export async function openListeners(settings: Settings, first: Handlers, { publicUrl, log }: ListenersOptions): Promise<Listeners> {
  let now = first
  const about = { publicUrl, log, addressLimit: settings.limits.address_per_minute }
  const { host, port, admin_host } = settings.server
  const turns = new Turns()
  const limits = { idleMs: settings.limits.idle * 1_000, turns }
  const mainServer = httpServer((request, response) => now.listener(request, response), about, limits)
  const connections = new Connections(mainServer)
  boundAddressConnections(mainServer, { most: settings.limits.address_connections, trusted: settings.server.trusted_proxies })
  const main = await listen(mainServer, port, host).catch((error: unknown) => {
    throw listenError(error, 'main', settings) ?? error
  })
  const adminServer = httpServer((request, response) => now.adminListener(request, response), about)
  const admin = await listenAdmin(adminServer, settings, main.port).catch((error: unknown) => {
    main.server.close()
    throw listenError(error, 'admin', settings) ?? error
  })
  const socketServer = httpServer((request, response) => now.ownerListener(request, response), about)
  const socket = await openAdminSocket(settings.data, socketServer, log)
  return {
    main: main.server,
    connections,
    url: `http://${printable(host)}:${main.port}`,
    adminUrl: `http://${printable(admin_host)}:${admin.port}`,
    setHandlers: (handlers) => {
      now = handlers
    },
    closePort: () => closePort(mainServer, connections, turns),
    close: () => {
      socket?.close()
      for (const { server: open } of [main, admin]) {
        open.close()
        open.closeAllConnections()
      }
    },
  }
}

interface ListeningServer {
  readonly server: Server
  readonly port: number
}

function listen(server: Server, port: number, host: string): Promise<ListeningServer> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve({ server, port: portOf(server.address()) })
    })
  })
}

function portOf(address: ReturnType<Server['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Opens the admin listener: on its configured port, else the one after the main port, else any free one. */
async function listenAdmin(server: Server, settings: Settings, mainPort: number): Promise<ListeningServer> {
  const { admin_port, admin_host, port } = settings.server
  if (admin_port !== null) return await listen(server, admin_port, admin_host)
  try {
    return await listen(server, port === 0 || mainPort === HIGHEST_PORT ? 0 : mainPort + 1, admin_host)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return await listen(server, 0, admin_host)
    throw error
  }
}

function printable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

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
