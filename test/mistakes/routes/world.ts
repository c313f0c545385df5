import { zoneServer } from '../../../core/sdk/testkit/dns-zones.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'

/** A gateway as it is shipped, with what a newcomer has in hand. */
export interface World {
  readonly gateway: TestGateway
  /** The values of the names in braces. */
  readonly names: Readonly<Record<string, string>>
  close(): Promise<void>
}

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
/** Files of the site that addresses of rows name, by path. */
const FILES: Readonly<Record<string, readonly [media: string, content: string | Buffer, status?: number]>> = {
  '/page': ['text/html', '<title>Page</title><main><h1>Page</h1><p>Words of a page.</p></main>'],
  '/notes.txt': ['text/plain', 'Words of a note.\n'],
  '/dot.png': ['image/png', PNG],
  '/empty.pdf': ['application/pdf', ''],
  '/broken.pdf': ['application/pdf', '%PDF-1.7\nnothing of a PDF\n'],
  '/gone': ['text/html', '<title>Gone</title><p>Not found.</p>', 404],
  '/private': ['text/html', '<title>Log in</title><form><input type="password"></form>', 401],
}

/** Starts it: no vendor has credentials, the name server has no name and Wikidata no company, so that nothing leaves the machine. */
export async function newcomersWorld(): Promise<World> {
  const zone = await zoneServer({})
  const site = await httpServer((request, response) => {
    const [media, content, status = 200] = FILES[request.url ?? ''] ?? ['text/html', 'nothing', 404]
    response.writeHead(status, { 'content-type': media }).end(content)
  })
  const wikidata = await httpServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":{"bindings":[]},"search":[]}'),
  )
  const file = `net:\n  dns: ${zone.address}\noutbound:\n  allow_private: ['127.0.0.1']\nserver:\n  trusted_proxies: ['127.0.0.1']\n`
  const env = {
    CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
    CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1000000',
    CAPSTAN_VENDOR_WIKIDATA_URL: wikidata.url,
  }
  const gateway = await startGateway({ bundled: true, file, env })
  const close = async (): Promise<void> => {
    await gateway.close()
    await Promise.all([zone.close(), site.close(), wikidata.close()])
  }
  return { gateway, names: { ...(await namesOf(gateway)), site: site.url }, close }
}

async function namesOf(gateway: TestGateway): Promise<Record<string, string>> {
  await gateway.admin('POST', '/admin/v1/accounts/default/grants', { amount: 10_000, ref: 'credits-of-the-test' })
  const [own, revoked, narrow, tight, poor] = await Promise.all([
    gateway.newKey(),
    gateway.newKey(),
    gateway.newKey({ scopes: ['search'] }),
    gateway.newKey({ credit_limit: 0.5 }),
    gateway.newAccount(0),
  ])
  await gateway.send(`/v1/keys/${revoked.id}`, { method: 'DELETE', key: own.key })
  const used = await gateway.send('/v1/domains', {
    key: own.key,
    body: { mode: 'extension-catalog' },
    headers: { 'idempotency-key': 'used-before' },
  })
  if (used.status !== 200) throw new Error(used.text)
  return {
    key: own.key,
    key_id: own.id,
    revoked: revoked.key,
    narrow: narrow.key,
    narrow_id: narrow.id,
    tight: tight.key,
    poor: poor.key,
    poor_account: poor.id,
    token: gateway.adminToken,
    id: 'default',
    url: gateway.url,
  }
}
