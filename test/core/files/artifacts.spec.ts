import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Artifacts } from '../../../core/files/artifacts.js'
import { FolderBlobs } from '../../../core/files/folder.js'
import { LinkSigner, ownLink, WebWithOwnLinks } from '../../../core/files/own-links.js'
import { Problem } from '../../../core/problems/problem.js'
import { Fault, type WebOptions } from '../../../core/sdk/index.js'
import type { Store } from '../../../core/store/types.js'
import { cancelIn, HandClock } from '../../support/outbound.js'
import { artifactOf, furnish, temporaryStore, TemporaryFolder } from '../../support/store.js'
import { errorOf, settle } from '../../support/unit.js'
import { until } from '../../support/time.js'

const ID = 'abcdefghij1234567890AB'
async function* chunks(...sizes: (number | Error)[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) {
    if (size instanceof Error) throw size
    yield Buffer.alloc(size, 97)
  }
}
async function textOf(blob: { body: AsyncIterable<Uint8Array> } | null): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of blob?.body ?? []) parts.push(part)
  return Buffer.concat(parts).toString()
}
/** Bodies of ten bytes a piece, and how many of them have ended. */
function chunksThatEnd(pieces: number) {
  let ended = 0
  return {
    ended: () => ended,
    chunks: async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (let sent = 0; sent < pieces; sent++) yield await Promise.resolve(Buffer.alloc(10))
      } finally {
        ended++
      }
    },
  }
}
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

describe('artifacts of calls', () => {
  let store: Store
  let end: () => Promise<void>
  let folder: TemporaryFolder
  let clock: HandClock
  const links = new LinkSigner('ab'.repeat(32))
  beforeEach(async () => {
    ;({ store, end } = await temporaryStore())
    await furnish(store)
    folder = new TemporaryFolder()
    clock = new HandClock()
  })
  afterEach(async () => {
    folder.remove()
    await end()
  })
  const desk = (quotaBytes = 1_000, blobs = new FolderBlobs(folder.path), streamBytes?: number, leastRoom = 1): Artifacts =>
    new Artifacts({
      records: store.artifacts,
      blobs,
      links,
      clock,
      settings: {
        ttlSeconds: 60,
        quotaBytes,
        leastRoom,
        publicUrl: () => 'https://gateway.test',
        ...(streamBytes === undefined ? {} : { streamBytes }),
      },
    })
  const partsOf = (link: string): [string, string, string] => {
    const url = new URL(link)
    return [url.pathname.split('/')[2] ?? '', url.searchParams.get('expires') ?? '', url.searchParams.get('signature') ?? '']
  }

  describe('whose link is fetched', () => {
    const never = {
      get: () => Promise.reject(new Error('the network was used')),
      stream: () => Promise.reject(new Error('called')),
      close: () => Promise.resolve(),
    }
    const read = async (artifacts: Artifacts, url: string, options: WebOptions = {}): Promise<string> =>
      Buffer.from(
        (await new WebWithOwnLinks(never, (address) => artifacts.openLink(address)).get(url, options, cancelIn())).bytes,
      ).toString()

    it('are read without network, with their type, by whoever has the link', async () => {
      const artifacts = desk()
      const { url } = await artifacts.put('acc', Buffer.from('hello'), { name: 'a b.txt', contentType: 'text/plain' })
      expect(await read(artifacts, url)).to.equal('hello')
      const page = await new WebWithOwnLinks(never, (address) => artifacts.openLink(address)).stream(url, {}, cancelIn())
      expect(page).to.deep.include({
        url,
        status: 200,
        contentType: 'text/plain',
        headers: { 'content-type': 'text/plain', 'content-length': '5' },
      })
      expect(await textOf(page)).to.equal('hello')
    })

    it('are invalid with the reason: expired, changed, gone', async () => {
      const artifacts = desk()
      const { id, url } = await artifacts.put('acc', Buffer.from('hello'), { name: 'x' })
      for (const wrong of [url.replace(/signature=./, 'signature=!'), url.replace('expires=1', 'expires=2'), url.replace(/\?.*/, '')])
        expect(await errorOf(read(artifacts, wrong)), wrong).to.include({ kind: 'invalid', message: 'The link was not made by this gateway, or its file has been deleted.' }) // prettier-ignore
      clock.advance(61_000)
      expect(await errorOf(read(artifacts, url))).to.include({
        kind: 'invalid',
        message: 'The link to a file of this gateway has expired.',
      })
      const other = await artifacts.put('acc', Buffer.from('hello'), { name: 'x' })
      await store.artifacts.remove(other.id)
      expect(String(await errorOf(read(artifacts, other.url)))).to.contain('or its file has been deleted')
      expect(id).to.not.equal(other.id)
    })

    it('are bounded as any fetch is, and their file is closed', async () => {
      const body = chunksThatEnd(3)
      const large = new WebWithOwnLinks(never, () =>
        Promise.resolve({ record: artifactOf({ id: ID }), range: null, size: 30, whole: 30, body: body.chunks() }),
      )
      expect(await errorOf(large.get('x:', { maxBytes: 29 }, cancelIn()))).to.include({ kind: 'blocked' })
      expect(body.ended()).to.equal(1)
      const { body: unread } = await large.stream('x:', {}, cancelIn())
      await unread[Symbol.asyncIterator]().return?.()
      expect(body.ended()).to.equal(2)
      const cancel = cancelIn()
      const { body: stopped } = await large.stream('x:', {}, cancel)
      const pieces = stopped[Symbol.asyncIterator]()
      await pieces.next()
      cancel.cancel('client-gone')
      expect(String(await errorOf(Promise.resolve(pieces.next())))).to.contain('the fetch was stopped')
      expect(body.ended()).to.equal(3)
    })

    it('A13 are known by their signature at any host, and addresses of the same form without it are not theirs', async () => {
      const artifacts = desk()
      const { url } = await artifacts.put('acc', Buffer.from('hello'), { name: 'x' })
      const elsewhere = url.replace('https://gateway.test', 'http://localhost:8080/behind/a/proxy')
      expect((await artifacts.openLink(elsewhere))?.size).to.equal(5)
      expect(await artifacts.openLink(elsewhere.replace(/signature=.*/, `signature=${'x'.repeat(43)}`))).to.equal(null)
      expect(await artifacts.openLink('http://localhost:8080/files/a/b/c')).to.equal(null)
    })

    it('are distinguished from other addresses by origin, path and number of parts', () => {
      const own = (address: string, base = 'https://gateway.test') => ownLink(address, base)?.id
      expect(own('https://gateway.test/files/abc/x?expires=1&signature=s')).to.equal('abc')
      expect(own('HTTPS://GATEWAY.test:443/files/abc/x')).to.equal('abc')
      expect(own('https://host.test/capstan/files/abc/x', 'https://host.test/capstan/')).to.equal('abc')
      for (const other of ['http://gateway.test/files/abc/x', 'https://gateway.test:8443/files/abc/x', 'https://gateway.test/v1/files/abc/x', 'https://gateway.test/files/abc', 'https://gateway.test/files/abc/x/y', 'https://evil.test/files/abc/x', 'https://gateway.test@evil.test/files/abc/x', 'nonsense', ''])
        expect(own(other), other).to.equal(undefined) // prettier-ignore
    })
  })

  it('are stored under an id nobody can guess and opened by their link alone', async () => {
    const artifacts = desk()
    const stored = await artifacts.put('acc', Buffer.from('hello'), { name: '../shot.png', contentType: 'Image/PNG; charset=x' })
    expect(stored).to.deep.include({
      size: 5,
      content_type: 'image/png',
      expires_at: new Date(Math.floor(clock.now() / 1000) * 1000 + 60_000).toISOString(),
    })
    expect(Buffer.from(stored.id, 'base64url')).to.have.length(16)
    expect(stored.url).to.match(/^https:\/\/gateway\.test\/files\/[\w-]{22}\/shot\.png\?/)
    const [id, expires, signature] = partsOf(stored.url)
    const opened = await artifacts.open(id, expires, signature)
    expect(await textOf(opened)).to.equal('hello')
    expect(opened?.record).to.deep.include({ name: 'shot.png', account: 'acc' })
    expect(await artifacts.open(id, expires, 'x'.repeat(43))).to.equal(null)
    const other = await artifacts.put('acc', Buffer.from('other'), { name: 'x' })
    expect(await artifacts.open(other.id, expires, signature), 'T-57 the signature of another file').to.equal(null)
    clock.advance(60_000)
    expect(await artifacts.open(id, expires, signature), 'T-57 expired').to.equal(null)
  })

  it('T-58 have no type that a browser could take for more than it says', async () => {
    for (const contentType of ['text/html\r\nX: y', 'nonsense', '', '/', `a/${'b'.repeat(100)}`])
      expect((await desk().put('acc', Buffer.from('x'), { name: 'x', contentType })).content_type).to.equal('application/octet-stream')
  })

  it('T-59 stay within the quota of the account, however many are stored at once', async () => {
    const artifacts = desk(1_000)
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => artifacts.put('acc', Buffer.alloc(300), { name: 'x' })))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).to.have.length(5)
    for (const { reason } of refused) expect(reason instanceof Problem && reason.slug).to.equal('overloaded')
    expect(await store.artifacts.used('acc')).to.equal(900)
    expect(filesIn(folder.path)).to.have.length(3)
  })

  it('T-59 a stream takes what is left of the quota and no byte more', async () => {
    const artifacts = desk(1_000)
    expect((await artifacts.put('acc', chunks(400, 200), { name: 'x' })).size).to.equal(600)
    expect(await store.artifacts.used('acc')).to.equal(600, 'the reservation shrinks to the true size')
    expect((await artifacts.put('acc', chunks(400), { name: 'x' })).size).to.equal(400)
    const error = await errorOf(artifacts.put('acc', chunks(1), { name: 'x' }))
    expect(error instanceof Problem && error.slug).to.equal('overloaded')
    const half = desk(1_300)
    expect(await errorOf(half.put('acc', chunks(200, 101), { name: 'x' }))).to.be.instanceOf(Problem)
    expect(await store.artifacts.used('acc')).to.equal(1_000)
    expect(filesIn(folder.path)).to.have.length(2)
  })

  it('T-59 two streams that arrive at once leave each other the room that neither has used', async () => {
    const artifacts = desk(1_000)
    const stored = await Promise.all([1, 2].map(() => artifacts.put('acc', chunks(100, 100, 100), { name: 'x' })))
    expect(stored.map(({ size }) => size)).to.deep.equal([300, 300])
    expect(await store.artifacts.used('acc')).to.equal(600)
  })

  it('T-59 a stream reserves 8 MiB at first and steps of at most 64 MiB', async () => {
    const grow = store.artifacts.grow.bind(store.artifacts)
    const steps: number[] = []
    store.artifacts.grow = (growth) => (steps.push(growth.bytes / 1024 ** 2), grow(growth))
    const artifacts = desk(1024 ** 3)
    await artifacts.put('acc', chunks(...Array.from({ length: 130 }, () => 1024 ** 2)), { name: 'x' })
    store.artifacts.grow = grow
    expect(steps).to.deep.equal([8, 16, 32, 64, 64])
    expect(await store.artifacts.used('acc')).to.equal(130 * 1024 ** 2)
  })

  it('A11 a file takes at least 16 KiB of the quota, given whole or as it comes, and gives them back when it is deleted', async () => {
    const artifacts = desk(50_000, new FolderBlobs(folder.path), undefined, 16_384)
    const one = await artifacts.put('acc', Buffer.from('x'), { name: 'x' })
    const two = await artifacts.put('acc', chunks(1), { name: 'x' })
    expect([one.size, two.size], 'the size that callers get is the size of the file').to.eql([1, 1])
    await artifacts.put('acc', chunks(), { name: 'x' })
    expect(await store.artifacts.used('acc')).to.equal(3 * 16_384)
    for (const data of [Buffer.from('x'), Buffer.alloc(0), chunks(1), chunks()]) {
      const error = await errorOf(artifacts.put('acc', data, { name: 'x' }))
      expect(error).to.include({ slug: 'overloaded' })
      expect(error.message).to.contain('artifacts_quota').and.contain('at least 16384 bytes').and.contain('100000 files')
    }
    expect(filesIn(folder.path)).to.have.length(3)
    await artifacts.discard(one.id)
    expect(await store.artifacts.used('acc')).to.equal(2 * 16_384)
    clock.advance(3_600_000)
    await artifacts.purge()
    expect(await store.artifacts.used('acc')).to.equal(0)
  })

  it('A11 a stream that grows beyond 16 KiB takes its own size, and an answer kept in a file takes 16 KiB too', async () => {
    const artifacts = desk(100_000, new FolderBlobs(folder.path), undefined, 16_384)
    await artifacts.put('acc', chunks(10_000, 10_000), { name: 'x' })
    expect(await store.artifacts.used('acc')).to.equal(20_000)
    await artifacts.write('acc', Buffer.from('an answer'), clock.now() + 1_000)
    expect(await store.artifacts.used('acc')).to.equal(20_000 + 16_384)
    expect(await errorOf(artifacts.put('acc', chunks(40_000, 40_000), { name: 'x' }))).to.be.instanceOf(Problem)
    expect(await store.artifacts.used('acc'), 'nothing stays of what had no room').to.equal(20_000 + 16_384)
  })

  it('A11 an account has at most 100,000 files, however large its quota is: each takes that part of it', async () => {
    const quota = 100_000 * 50_000
    const artifacts = desk(quota, new FolderBlobs(folder.path), undefined, 16_384)
    await artifacts.put('acc', Buffer.from('x'), { name: 'x' })
    expect(await store.artifacts.used('acc')).to.equal(50_000)
    await store.artifacts.reserve(artifactOf({ size: 99_998 * 50_000 }), quota)
    await artifacts.put('acc', chunks(1), { name: 'the last' })
    expect((await errorOf(artifacts.put('acc', chunks(1), { name: 'one too many' }))).message).to.contain('at most 100000 files')
  })

  it('a stream over the largest size is refused with the limit, not for want of room', async () => {
    const artifacts = desk(1_000, new FolderBlobs(folder.path), 500)
    expect((await artifacts.put('acc', chunks(300, 200), { name: 'x' })).size).to.equal(500)
    const error = await errorOf(artifacts.put('acc', chunks(300, 201), { name: 'x' }))
    expect(Fault.is(error) && [error.kind, error.message]).to.deep.equal([
      'invalid',
      'The file is larger than 500 bytes, the most that a stored file may have.',
    ])
    expect(await store.artifacts.used('acc')).to.equal(500)
    expect(filesIn(folder.path)).to.have.length(1)
  })

  it('F-22 a cut stream, and a store that goes away after the writing, give room and bytes back', async () => {
    await errorOf(desk().put('acc', chunks(5, new Error('cut')), { name: 'x' }))
    expect(await store.artifacts.used('acc')).to.equal(0)
    const settled = store.artifacts.settle.bind(store.artifacts)
    store.artifacts.settle = () => Promise.reject(new Error('away'))
    await errorOf(desk().put('acc', chunks(5), { name: 'x' }))
    store.artifacts.settle = settled
    expect(await store.artifacts.used('acc')).to.equal(0)
    expect(filesIn(folder.path)).to.deep.equal([])
  })

  it('T-57 are purged within a minute of their end, however many they are', async () => {
    const artifacts = desk(1_000_000)
    for (let count = 0; count < 210; count++)
      await store.artifacts.reserve(artifactOf({ size: 1, expires_at: clock.now() + 1_000 }), 1_000_000)
    const kept = await artifacts.put('acc', Buffer.from('stays'), { name: 'x', ttlSeconds: 3_600 })
    await artifacts.put('acc', Buffer.from('goes'), { name: 'x', ttlSeconds: 30 })
    const logs: string[] = []
    artifacts.startPurge((_level, message) => void logs.push(message))
    clock.advance(60_000)
    await until(async () => (await store.artifacts.used('acc')) <= 10)
    expect(await store.artifacts.used('acc')).to.equal(10)
    expect(filesIn(folder.path)).to.deep.equal([kept.id])
    expect(logs).to.deep.equal([])
    artifacts.close()
  })

  it('T-57 a place that deletes nothing ends the purge, and says why', async () => {
    const stuck = new FolderBlobs(folder.path)
    stuck.remove = () => Promise.reject(new Error('read-only'))
    for (let count = 0; count < 200; count++)
      await store.artifacts.reserve(artifactOf({ size: 1, expires_at: clock.now() + 1_000 }), 1_000_000)
    clock.advance(1_000)
    expect((await errorOf(desk(1_000, stuck).purge())).message).to.equal('200 files stay: Error: read-only')
    expect(await desk().purge()).to.equal(200)
  })

  it('T-57 that cannot be deleted hold up no others, and are tried again after an hour', async () => {
    const disk = new FolderBlobs(folder.path)
    const remove = disk.remove.bind(disk)
    const tried: string[] = []
    disk.remove = (id) => (id.startsWith('stuck') ? (tried.push(id), Promise.reject(new Error('not permitted'))) : remove(id))
    for (let count = 0; count < 450; count++) {
      const id = (count < 210 ? `stuck${count}x` : `free${count}x`).padEnd(22, 'x')
      await store.artifacts.reserve(artifactOf({ id, size: 1, expires_at: clock.now() + 1 + count }), 1_000_000)
    }
    clock.advance(1_000)
    const artifacts = desk(1_000, disk)
    expect((await errorOf(artifacts.purge())).message).to.equal('210 files stay: Error: not permitted')
    expect(await store.artifacts.used('acc')).to.equal(210)
    await store.artifacts.reserve(artifactOf({ size: 1, expires_at: clock.now() }), 1_000_000)
    expect([await artifacts.purge(), tried.length]).to.deep.equal([1, 210], 'those that failed are left alone')
    clock.advance(3_600_000)
    disk.remove = remove
    expect(await artifacts.purge()).to.equal(210)
  })

  it('T-57 are purged by one purge at a time', async () => {
    const disk = new FolderBlobs(folder.path)
    let checks = 0
    let answer: () => void = () => undefined
    disk.remove = () => (checks++, new Promise((resolve) => (answer = resolve)))
    await store.artifacts.reserve(artifactOf({ size: 1, expires_at: clock.now() + 1_000 }), 1_000_000)
    const artifacts = desk(1_000, disk)
    artifacts.startPurge(() => undefined)
    const minute = async () => {
      clock.advance(60_000)
      await settle(20)
    }
    await minute()
    await minute()
    await minute()
    expect(checks).to.equal(1)
    answer()
    await until(async () => (await store.artifacts.used('acc')) === 0)
    await store.artifacts.reserve(artifactOf({ size: 1, expires_at: clock.now() }), 1_000_000)
    await minute()
    await until(() => checks >= 2)
    expect(checks).to.equal(2)
    answer()
    artifacts.close()
  })

  it('keep answers for replay and say when one is gone', async () => {
    const artifacts = desk()
    const file = await artifacts.write('acc', Buffer.from('answer'), clock.now() + 1_000)
    expect(Buffer.from(await artifacts.read(file)).toString()).to.equal('answer')
    expect(readFileSync(join(folder.path, file.slice(0, 2), file)).toString()).to.equal('answer')
    clock.advance(1_000)
    expect(await artifacts.purge()).to.equal(1)
    const error = await errorOf(artifacts.read(file))
    expect(error instanceof Problem && error.slug).to.equal('idempotency-conflict')
  })
})
