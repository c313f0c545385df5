import { setTimeout as pause } from 'node:timers/promises'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'

/** The vendors of the bench: jobs that are done at once, and an answer after 200 ms. */
export async function startUpstream(): Promise<Running & { readonly url: string }> {
  return await httpServer((incoming, response) => {
    const answer = async (): Promise<void> => {
      if (incoming.url?.startsWith('/slow') === true) await pause(200)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"a"}')
    }
    incoming.resume().on('end', () => void answer())
  })
}
