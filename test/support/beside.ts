import { openAdminSocket, type AdminSocket } from '../../core/http/listeners.js'
import { httpServer } from '../../core/http/server.js'
import { cliBench, type CliBench, type CliOptions } from './cli.js'
import { startGateway, type GatewayOptions, type TestGateway } from './gateway.js'

/** A gateway with the socket in its data folder, and a command line that uses the same folder. */
export interface Beside {
  readonly gateway: TestGateway
  readonly bench: CliBench
  close(): Promise<void>
}

export async function startBeside(options: GatewayOptions = {}, cli: CliOptions = {}): Promise<Beside> {
  const gateway = await startGateway(options)
  const socket = await openSocketOf(gateway)
  const bench = cliBench({ ...cli, env: { ...options.env, ...cli.env, CAPSTAN_DATA: gateway.folder } })
  return {
    gateway,
    bench,
    close: async () => {
      socket?.close()
      bench.done()
      await gateway.close()
    },
  }
}

/** The socket of a gateway of a test. */
export async function openSocketOf({ app, folder }: TestGateway): Promise<AdminSocket | null> {
  const about = {
    publicUrl: () => app.services.publicUrl(),
    log: app.services.log,
    addressLimit: app.services.settings.limits.address_per_minute,
  }
  return await openAdminSocket(folder, httpServer(app.ownerListener, about), (_event, message, fields) => {
    throw new Error(`${message}: ${JSON.stringify(fields)}`)
  })
}
