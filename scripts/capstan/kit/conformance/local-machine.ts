import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../../core/runtime/clock.js'
import { resourceHosts, Resources } from '../../../../core/dispatch/resources.js'
import { createSandbox } from '../../../../core/exec/sandbox.js'
import { createWorkers } from '../../../../core/exec/workers.js'
import { createOutbound } from '../../../../core/outbound/index.js'
import type { ConformanceOptions } from './conformance.js'

interface LocalMachineOptions {
  readonly clock: Clock
  /** The operator's path of a program. */
  readonly programs: (name: string) => string | undefined
}

/**
 * Threads, sandbox, programs and resources of this machine for a conformance run. Programs get the guard proxy as their only
 * network, which allows only public addresses; nothing is started before a case needs it.
 */
export async function localMachine({
  clock,
  programs,
}: LocalMachineOptions): Promise<{ options: ConformanceOptions; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-conformance-'))
  // Programs run as their own users and need the proxy's socket in here.
  await chmod(folder, 0o711)
  const log = (): void => undefined
  const outbound = createOutbound({ allowPrivate: [], proxy: null, dns: null, perHost: 8, userAgent: 'capstan-conformance' }, clock, log)
  const socket = join(folder, 'proxy.sock')
  let listening: Promise<() => Promise<void>> | null = null
  const proxySocket = async (): Promise<string> => {
    await (listening ??= outbound.proxy.listenOnSocket(socket))
    return socket
  }
  const sandbox = createSandbox({ clock, log, programs, slots: 2, proxySocket, protectedPaths: [] })
  const workers = createWorkers({ clock, size: 2 })
  const resources = new Resources(resourceHosts({ sandbox, log }))
  return {
    options: { clock, program: (name) => sandbox.program(name), sandbox, workers, resources },
    close: async () => {
      await resources.close()
      await Promise.all([sandbox.close(), workers.close(), outbound.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
