import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { freePort, start } from '../gateway/process.js'
import { Sender } from '../gateway/sender.js'
import { startGateway } from '../gateway/start.js'
import { CONNECTIONS } from './closed-loop.js'

/** A gateway on a data folder behind an instant upstream, and a sender to it. */
export interface Measured {
  readonly pid: number
  /** Milliseconds from the start of its process until it listened. */
  readonly readyMs: number
  readonly sender: Sender
  stop(): Promise<void>
}

/** Starts both; whoever uses it stops it. */
export async function startMeasured(data: string): Promise<Measured> {
  const port = await freePort()
  const mock = await start('upstream', `http://127.0.0.1:${port}`, {
    program: process.execPath,
    args: [join(packageRoot(), 'scripts', 'gateway', 'mock.mjs'), String(port)],
  })
  try {
    const gateway = await startGateway({ upstream: mock.url, data })
    const sender = new Sender(gateway.url, CONNECTIONS)
    return {
      pid: gateway.pid,
      readyMs: gateway.readyMs,
      sender,
      stop: async () => {
        await sender.close()
        await gateway.stop()
        await mock.stop()
      },
    }
  } catch (error) {
    await mock.stop()
    throw error
  }
}
