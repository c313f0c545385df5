import 'reflect-metadata'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { systemClock } from '../../core/runtime/clock.js'
import { openStore } from '../../core/store/open.js'
import { Crash, crashingStore, type CrashOrder } from './crash-points.js'
import { startGateway } from './gateway.js'
import { Fault } from './test-plugin.js'

/** Characters of an answer that does not fit into the buffers of a connection. */
const WIDE = 8 * 1024 * 1024

/** A gateway on a folder that is killed when a point is reached for the n-th time. Its clock is fast. Says in one line of JSON where it listens. */
async function serve(folder: string, { point, times, fastMs }: CrashOrder): Promise<void> {
  const crash = new Crash(point, times)
  const run = async ({ text }: { text: string }): Promise<{ text: string }> => {
    crash.at('provider asked')
    if (text.startsWith('broken')) throw new Fault('broken', 'the vendor failed')
    await new Promise((resolve) => setImmediate(resolve))
    crash.at('provider answered')
    return { text: text.startsWith('wide') ? text.padEnd(WIDE, 'x') : text }
  }
  const gateway = await startGateway({
    folder,
    script: { 'test.echo': [{ vendor: 'one', run }], echo: { work: 'light', timeoutMs: 500 } },
    env: { CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '100000', CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '1000000' },
    overrides: {
      clock: { ...systemClock, now: () => Date.now() + fastMs },
      store: crashingStore(await openStore('sqlite:capstan.db', folder, { thread: 'worker' }), crash),
    },
  })
  gateway.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== '/v1/test/echo') return
    // Koa gives the whole answer to `end`; what of it the connection takes at once has left.
    response.end = new Proxy<ServerResponse['end']>(response.end.bind(response), {
      apply: (end, _self, parts) => {
        const ended: unknown = Reflect.apply(end, undefined, parts)
        crash.at('first byte')
        return ended
      },
    })
    response.once('finish', () => crash.at('answer finished'))
  })
  const key = gateway.key === '' ? null : (await gateway.newKey()).key
  process.stdout.write(`${JSON.stringify({ url: gateway.url, key, adminToken: gateway.adminToken })}\n`)
}

const [folder, order] = process.argv.slice(2)
if (folder === undefined || order === undefined) throw new Error('usage: FOLDER ORDER')
await serve(folder, JSON.parse(order) as CrashOrder)
