import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { furnish } from '../../gateway/furnish.js'
import { startGateway } from '../../gateway/start.js'
import { bodyOf } from './site.js'

export interface PagesWorld {
  /** Process of the gateway. */
  readonly pid: number
  /** Address of the page that is opened. */
  readonly page: string
  /** Calls a capability; throws when it does not answer 200. */
  readonly call: (path: string, params: Readonly<Record<string, unknown>>) => Promise<void>
}

/** A gateway, a site beside it, and both ended after the work. */
export async function withPages(work: (world: PagesWorld) => Promise<void>): Promise<void> {
  const site = await httpServer((request, response) => {
    const { type, body } = bodyOf(request.url ?? '/')
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  try {
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:9' })
    try {
      const [key = ''] = await furnish(gateway, 1)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      await work({
        pid: gateway.pid,
        page: `${site.url}/page`,
        call: async (path, params) => {
          const reply = await fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(params) })
          const text = await reply.text()
          if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 500)}`)
        },
      })
    } finally {
      await gateway.stop()
    }
  } finally {
    await site.close()
  }
}
