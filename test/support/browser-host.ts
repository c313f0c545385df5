import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../core/runtime/clock.js'
import { createSandbox } from '../../core/exec/sandbox.js'
import { PROXY_URL } from '../../core/exec/network.js'
import type { Sandbox } from '../../core/exec/types.js'
import { createOutbound, type Hooks } from '../../core/outbound/index.js'
import type { Outbound } from '../../core/outbound/types.js'
import type { ResourceHost } from '../../core/sdk/index.js'

export interface BrowserHost {
  readonly host: ResourceHost
  readonly outbound: Outbound
  readonly sandbox: Sandbox
  readonly logs: string[]
  close(): Promise<void>
}

export interface BrowserHostOptions {
  /** The name server to query, `host:port`. */
  readonly dns?: string
  readonly hooks?: Hooks
}

/** A resource host with the real sandbox and the real guard proxy, which lets through to the listed `host:port` alone. */
export async function browserHost(allow: readonly string[], { dns, hooks }: BrowserHostOptions = {}): Promise<BrowserHost> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-browser-test-'))
  await chmod(folder, 0o755)
  const logs: string[] = []
  const log = (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
    void logs.push(`${message} ${JSON.stringify(fields)}`)
  const outbound = createOutbound(
    { allowPrivate: allow, proxy: null, dns: dns ?? null, perHost: 8, userAgent: 'capstan-test' },
    systemClock,
    (_event, message, fields) => log(message, fields),
    hooks,
  )
  const socket = join(folder, 'proxy.sock')
  let listening: Promise<() => Promise<void>> | null = null
  const proxySocket = async (): Promise<string> => {
    await (listening ??= outbound.proxy.listenOnSocket(socket))
    return socket
  }
  const sandbox = createSandbox({ clock: systemClock, log, programs: () => undefined, slots: 4, proxySocket, protectedPaths: [] })
  const host: ResourceHost = {
    program: (name) => sandbox.program(name),
    launcher: async (program, options) =>
      sandbox.launcher(program, { folder: await mkdtemp(join(folder, 'launcher-')), ...options, proxied: true }),
    start: (program, args, options) => sandbox.start(program, args, options),
    proxyUrl: PROXY_URL,
    folder: () => Promise.resolve(folder),
    settings: {},
    log,
  }
  return {
    host,
    outbound,
    sandbox,
    logs,
    close: async () => {
      await sandbox.close()
      await outbound.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
