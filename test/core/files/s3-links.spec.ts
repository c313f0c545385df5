import { expect } from 'chai'
import { join } from 'node:path'
import { request } from 'undici'
import { Artifacts } from '../../../core/files/artifacts.js'
import { FolderBlobs } from '../../../core/files/folder.js'
import { LinkSigner } from '../../../core/files/own-links.js'
import type { S3Blobs } from '../../../core/files/s3/blobs.js'
import { Problem } from '../../../core/problems/problem.js'
import type { Store } from '../../../core/store/types.js'
import { HandClock } from '../../support/outbound.js'
import { blobsOn, operatorHttp, refusing, S3Server, through, type Trick } from '../../support/s3.js'
import type { OperatorHttp } from '../../../core/outbound/operator.js'
import { furnish, temporaryStore, TemporaryFolder } from '../../support/store.js'
import { until } from '../../support/time.js'
import { errorOf } from '../../support/unit.js'

const ID = 'abcdefghij1234567890AB'
async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(data)
}

describe('artifacts of calls in an object store', () => {
  let clock: HandClock
  let server: S3Server
  let folder: TemporaryFolder
  let transport: OperatorHttp
  let store: Store
  let end: () => Promise<void>
  const blobs = (options = '&links=direct'): S3Blobs =>
    blobsOn(server, { transport, clock, spoolFolder: join(folder.path, 'spool') }, { options })
  beforeEach(async () => {
    clock = new HandClock()
    server = await new S3Server(clock).start()
    folder = new TemporaryFolder()
    transport = operatorHttp(new HandClock())
    ;({ store, end } = await temporaryStore())
    await furnish(store)
  })
  afterEach(async () => {
    await transport.close()
    await server.close()
    await end()
    folder.remove()
  })
  const about = { name: 'shot.png', contentType: 'image/png' }
  const fetched = async (url: string, method: 'GET' | 'PUT' | 'DELETE' | 'HEAD' = 'GET') => {
    const { statusCode, headers, body } = await request(url, { method })
    return { status: statusCode, headers, text: await body.text() }
  }

  it('T-58 a link to the store itself gives the file as an attachment of its name and type', async () => {
    await blobs().write(ID, once(Buffer.from('pixels')), 10)
    const name = 'r\u00e9sum\u00e9 (1) +x&y=%20;"z.png'
    const link = await blobs().link(ID, { ...about, name, expiresAt: clock.now() + 60_000 })
    const { status, headers, text } = await fetched(link ?? '')
    expect([status, text]).to.deep.equal([200, 'pixels'])
    expect(headers).to.deep.include({ 'content-type': 'image/png', 'cache-control': 'no-store' })
    expect(headers['content-disposition']).to.match(/^attachment; filename="r_sum_ \(1\)/)
    expect(decodeURIComponent(/''(.+)$/.exec(String(headers['content-disposition']))?.[1] ?? '')).to.equal(name)
  })

  it('T-58 a type that a browser could run anything of goes out as plain bytes', async () => {
    for (const contentType of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript', 'application/xml', 'text/xsl']) {
      const link = await blobs().link(ID, { name: 'x', contentType, expiresAt: clock.now() + 60_000 })
      expect(new URL(link ?? '').searchParams.get('response-content-type'), contentType).to.equal('application/octet-stream')
    }
  })

  it('T-57 a changed link, another method and another file are refused', async () => {
    await blobs().write(ID, once(Buffer.from('secret')), 10)
    await blobs().write(`${ID}2`, once(Buffer.from('other')), 10)
    const link = (await blobs().link(ID, { ...about, expiresAt: clock.now() + 60_000 })) ?? ''
    const changed = (name: string, value: string): string => {
      const url = new URL(link)
      url.searchParams.set(name, value)
      return url.href.replaceAll('+', '%20')
    }
    const signature = new URL(link).searchParams.get('X-Amz-Signature') ?? ''
    const tampered = [
      link.replace(ID, `${ID}2`),
      link.replace('artifacts/', ''),
      changed('X-Amz-Expires', '604800'),
      changed('response-content-type', 'text/html'),
      changed('response-content-disposition', 'inline'),
      changed('X-Amz-Signature', `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`),
      changed('X-Amz-Date', '20260101T000001Z'),
      changed('acl', ''),
      link.replace(/&X-Amz-Signature=.*$/, ''),
    ]
    for (const url of tampered) expect((await fetched(url)).status, url).to.equal(403)
    for (const method of ['PUT', 'DELETE', 'HEAD'] as const) expect((await fetched(link, method)).status, method).to.equal(403)
    expect((await fetched(link)).text).to.equal('secret')
  })

  it('T-57 a link ends with the file, and after five minutes at the latest', async () => {
    await blobs().write(ID, once(Buffer.from('secret')), 10)
    const short = (await blobs().link(ID, { ...about, expiresAt: clock.now() + 60_999 })) ?? ''
    const long = (await blobs().link(ID, { ...about, expiresAt: clock.now() + 86_400_000 })) ?? ''
    clock.advance(59_000)
    expect((await fetched(short)).status).to.equal(200)
    clock.advance(1_000)
    expect((await fetched(short)).status).to.equal(403)
    clock.advance(239_000)
    expect((await fetched(long)).status).to.equal(200)
    clock.advance(1_000)
    expect((await fetched(long)).status).to.equal(403)
    expect(await blobs().link(ID, { ...about, expiresAt: clock.now() + 999 }), 'no time left').to.equal(null)
  })

  const desk = (place = blobs(), quotaBytes = 1_000): Artifacts =>
    new Artifacts({
      records: store.artifacts,
      blobs: place,
      links: new LinkSigner('ab'.repeat(32)),
      clock,
      settings: { ttlSeconds: 60, leastRoom: 1, quotaBytes, publicUrl: () => 'https://gateway.test' },
    })
  const partsOf = (link: string): [string, string, string] => {
    const url = new URL(link)
    return [url.pathname.split('/')[2] ?? '', url.searchParams.get('expires') ?? '', url.searchParams.get('signature') ?? '']
  }

  it("the gateway's own link leads to one of the store only where the operator said so, and only when it is good", async () => {
    const stored = await desk().put('acc', Buffer.from('hello'), about)
    const [id, expires, signature] = partsOf(stored.url)
    const direct = await desk().link(id, expires, signature)
    expect((await fetched(direct ?? '')).text).to.equal('hello')
    expect(await desk().link(id, expires, 'x'.repeat(43))).to.equal(null)
    expect(await desk().link(ID, expires, signature)).to.equal(null)
    expect(await desk(blobs('')).link(id, expires, signature), 'through the gateway by default').to.equal(null)
    clock.advance(60_000)
    expect(await desk().link(id, expires, signature)).to.equal(null)
    const local = new Artifacts({
      records: store.artifacts,
      blobs: new FolderBlobs(folder.path),
      links: new LinkSigner('ab'.repeat(32)),
      clock,
      settings: { ttlSeconds: 60, leastRoom: 1, quotaBytes: 10, publicUrl: () => 'https://gateway.test' },
    })
    const kept = await local.put('acc', Buffer.from('x'), about)
    expect(await local.link(...partsOf(kept.url))).to.equal(null)
  })

  it('T-59 stay within the quota of the account and are deleted when their time is over', async () => {
    const artifacts = desk()
    const results = await through(
      clock,
      Promise.allSettled(Array.from({ length: 8 }, () => artifacts.put('acc', Buffer.alloc(300), about))),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(3)
    expect(await server.keys()).to.have.length(3)
    clock.advance(60_000)
    expect(await artifacts.purge()).to.equal(3)
    expect(await server.keys()).to.deep.equal([])
    expect(await store.artifacts.used('acc')).to.equal(0)
  })

  it('F-22 a store that goes away gives the room back at once, and the purge deletes what may have arrived', async () => {
    const artifacts = desk()
    // Three tries to write, of which the last one arrives although its answer is lost, and three to clean up.
    const lost: Trick = (_request, response) => {
      response.writeHead = () => {
        response.socket?.destroy()
        return response
      }
      return false
    }
    const away = refusing(503, 'SlowDown')
    server.trick(away, away, lost, away, away, away)
    const error = await errorOf(through(clock, artifacts.put('acc', Buffer.alloc(300), about)))
    expect(await server.keys(), 'the object is there').to.have.length(1)
    expect(error instanceof Problem && error.slug).to.equal('overloaded')
    expect(error.message).to.contain('cannot be stored', 'the first failure is reported, not that of the cleanup')
    // The clock of the test may run out of the time for the cleaning up, which then goes on behind the call, with pauses of this clock.
    await through(
      clock,
      until(async () => (await store.artifacts.used('acc')) === 0),
    )
    clock.advance(120_000)
    expect(await artifacts.purge()).to.equal(1)
    expect(await server.keys()).to.deep.equal([])
    expect((await store.artifacts.expired(clock.now() + 1e9, 10)).length).to.equal(0)
  })

  it('one file that cannot be deleted holds up no other', async () => {
    const artifacts = desk(undefined, 1e9)
    for (let count = 0; count < 20; count++) await artifacts.put('acc', Buffer.from('x'), about)
    clock.advance(60_000)
    server.trick(refusing(403, 'AccessDenied'))
    expect((await errorOf(artifacts.purge())).message)
      .to.contain('1 files stay')
      .and.contain('AccessDenied')
    expect(await server.keys()).to.have.length(1)
    clock.advance(3_600_000)
    expect(await artifacts.purge()).to.equal(1)
    expect(await server.keys()).to.deep.equal([])
  })
})
