import { createSocket } from 'node:dgram'
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcp } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface Site {
  readonly url: string
  readonly authority: string
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

/** A site on loopback: pages by path, each a string of HTML or a function; anything else is 404. */
export async function startSite(pages: Readonly<Record<string, string | Answer>>): Promise<Site> {
  const requests: Site['requests'] = []
  const server: Server = createHttp((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    requests.push({ path: request.url ?? '', headers: request.headers })
    const page = pages[path]
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>none</h1>')
    else if (typeof page === 'string') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    else page(request, response)
  })
  const port = await new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve(portOf(server.address()))))
  return {
    url: `http://127.0.0.1:${port}`,
    authority: `127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Listeners on loopback or on another address, TCP and UDP on one port, that nothing may reach. */
export async function startCanary(address = '127.0.0.1'): Promise<{ port: number; hits: string[]; close: () => Promise<void> }> {
  const hits: string[] = []
  const tcp = createTcp((socket) => {
    hits.push(`tcp from ${socket.remotePort ?? 0}`)
    socket.destroy()
  })
  const port = await new Promise<number>((resolve) => tcp.listen(0, address, () => resolve(portOf(tcp.address()))))
  const udp = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  udp.on('message', (message) => hits.push(`udp ${message.length}`))
  await new Promise<void>((resolve) => udp.bind(port, address, resolve))
  return {
    port,
    hits,
    close: async () => {
      await new Promise<void>((resolve) => udp.close(() => resolve()))
      await new Promise<void>((resolve) => tcp.close(() => resolve()))
    },
  }
}

function portOf(address: ReturnType<Server['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
