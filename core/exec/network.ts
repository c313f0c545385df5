import { chmod } from 'node:fs/promises'
import type { BwrapPlan } from './bwrap-args.js'
import type { SandboxOptions } from './host.js'
import { PROXY_PORT, PROXY_SOCKET_INSIDE, forwarderCode } from './inner-script.js'
import { programFolders } from './programs.js'

/** The network of a job: the guard proxy's socket, and a forwarder on loopback that programs use as HTTP proxy. */
export interface JobNetwork {
  readonly socket: BwrapPlan['socket']
  readonly env: Readonly<Record<string, string>>
  readonly readOnly: readonly string[]
}

/** The guard proxy's address inside a sandbox. */
export const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`

export const NO_NETWORK: JobNetwork = { socket: null, env: {}, readOnly: [] }

/** Network through the guard proxy only, whose socket the job's user may connect to. */
export async function proxiedNetwork(host: SandboxOptions, uid: number | null): Promise<JobNetwork> {
  const from = await host.proxySocket(uid)
  await chmod(from, 0o666)
  const url = PROXY_URL
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  return {
    socket: { from, to: PROXY_SOCKET_INSIDE },
    env: {
      ...Object.fromEntries(
        names.flatMap((name) => [
          [name, url],
          [name.toLowerCase(), url],
        ]),
      ),
      FORWARDER: process.execPath,
      FORWARDER_CODE: forwarderCode(PROXY_PORT),
    },
    readOnly: programFolders(process.execPath, host.coveredFolders),
  }
}
