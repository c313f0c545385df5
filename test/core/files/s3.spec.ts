import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openBlobs, type ObjectStoreDeps } from '../../../core/files/open.js'
import type { S3Blobs } from '../../../core/files/s3/blobs.js'
import { readPlace } from '../../../core/files/s3/place.js'
import { Problem } from '../../../core/problems/problem.js'
import { cancelIn, HandClock } from '../../support/outbound.js'
import { ACCOUNT, blobsOn, honest, operatorHttp, refusing, S3Server, through, type Trick } from '../../support/s3.js'
import type { Connector } from '../../../core/outbound/connector.js'
import type { Cancel } from '../../../core/runtime/cancel.js'
import { OperatorHttp } from '../../../core/outbound/operator.js'
import { TemporaryFolder } from '../../support/store.js'
import { errorOf, settle } from '../../support/unit.js'
import { until } from '../../support/time.js'

const ID = 'abcdefghij1234567890AB'
async function* once(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(data)
}
const cut: Trick = (_request, response) => {
  response.socket?.destroy()
  return true
}
const silence: Trick = () => true

describe('the setting of an object store', () => {
  const bases: Readonly<Record<string, string>> = {
    's3://files': 'https://files.s3.us-east-1.amazonaws.com/',
    's3://files/a/b/?region=eu-west-1': 'https://files.s3.eu-west-1.amazonaws.com/a/b/',
    's3://files?region=cn-north-1': 'https://files.s3.cn-north-1.amazonaws.com.cn/',
    's3://files.example.com?region=eu-west-1': 'https://s3.eu-west-1.amazonaws.com/files.example.com/',
    's3://files/x?style=path': 'https://s3.us-east-1.amazonaws.com/files/x/',
    's3://files?endpoint=http://minio:9000': 'http://minio:9000/files/',
    's3://files/p?endpoint=https%3A%2F%2Fs3.example.com%2Fstorage%2F&style=host': 'https://files.s3.example.com/storage/p/',
  }
  for (const [setting, base] of Object.entries(bases))
    it(`${setting} is ${base}`, () => expect(readPlace(setting)).to.deep.include({ base, linkBase: null }))

  it('says where callers follow links when they lead to the store itself', () => {
    expect(readPlace('s3://files?endpoint=http://minio:9000&links=direct').linkBase).to.equal('http://minio:9000/files/')
    const outside = 's3://files/p?endpoint=http://minio:9000&links=direct&public_endpoint=https://files.example.com'
    expect(readPlace(outside)).to.deep.include({ base: 'http://minio:9000/files/p/', linkBase: 'https://files.example.com/files/p/' })
  })

  const wrong: Readonly<Record<string, string>> = {
    's3://Files_UP?region=eu-west-1': 'bucket',
    's3://f': 'bucket',
    's3://files?regoin=eu-west-1': 'there are region, endpoint',
    's3://files?region=a&region=b': 'twice',
    's3://files?region=EU WEST': 'region',
    's3://files?endpoint=minio:9000': 'endpoint',
    's3://files?endpoint=http://key:secret@minio': 'endpoint',
    's3://files?endpoint=http://minio/?x=1': 'endpoint',
    's3://files?style=dns': 'path or host',
    's3://files?links=open': 'direct or gateway',
    's3://files?public_endpoint=https://files.example.com': 'links=direct',
    's3://files/a%20b': 'prefix',
    's3://files/..': 'bucket?region',
    's3://key:canary-secret@files': 'CAPSTAN_S3_ACCESS_KEY_ID',
  }
  for (const [setting, says] of Object.entries(wrong))
    it(`${setting} is refused with the part that is wrong`, () => {
      if (setting.endsWith('/..')) return void expect(readPlace(setting).base, 'no way above the bucket').to.match(/amazonaws\.com\/$/)
      expect(() => readPlace(setting))
        .to.throw(RangeError, 'CAPSTAN_ARTIFACTS')
        .with.property('message')
        .that.contains(says)
        .and.does.not.contain('canary')
    })

  it('wants credentials and names the variable of the one that is missing', () => {
    const clock = new HandClock()
    const parts = (credentials: Partial<ObjectStoreDeps['credentials']>): ObjectStoreDeps => ({
      credentials: { accessKeyId: 'key', secretAccessKey: 'canary-secret', sessionToken: null, ...credentials },
      transport: operatorHttp(clock),
      clock,
    })
    expect(openBlobs('s3://files', '/data', () => parts({})).describe()).to.equal(
      'bucket files at https://files.s3.us-east-1.amazonaws.com, region us-east-1',
    )
    expect(() => openBlobs('s3://files', '/data', () => parts({ accessKeyId: null }))).to.throw(
      RangeError,
      'CAPSTAN_S3_ACCESS_KEY_ID is not set',
    )
    expect(() => openBlobs('s3://files', '/data', () => parts({ secretAccessKey: null }))).to.throw(
      RangeError,
      'CAPSTAN_S3_SECRET_ACCESS_KEY is not set',
    )
  })
})

describe('an object store that fails', () => {
  let clock: HandClock
  /** Apart from the other, so that pauses between tries can pass and no request ends for want of time. */
  let patience: HandClock
  let server: S3Server
  let folder: TemporaryFolder
  let transport: OperatorHttp
  let blobs: S3Blobs
  beforeEach(async () => {
    clock = new HandClock()
    patience = new HandClock()
    server = await new S3Server(clock).start()
    folder = new TemporaryFolder()
    transport = operatorHttp(patience)
    blobs = blobsOn(server, { transport, clock, spoolFolder: join(folder.path, 'spool') })
  })
  afterEach(async () => {
    await transport.close()
    await server.close()
    folder.remove()
  })
  const problemOf = async (work: Promise<unknown>): Promise<Problem> => {
    const error = await errorOf(through(clock, work))
    if (error instanceof Problem) return error
    throw error
  }

  for (const [name, trick] of [
    ['an answer of 503 SlowDown', refusing(503, 'SlowDown')],
    ['an answer of 500', refusing(500, 'InternalError')],
    ['a connection that ends', cut],
  ] as const)
    it(`is tried again after ${name}, each time with the whole body`, async () => {
      const data = randomBytes(2_000_000)
      server.trick(trick, trick)
      expect(await through(clock, blobs.write(ID, once(data), data.length))).to.equal(data.length)
      expect(server.requests.map(({ method, body }) => `${method} ${body.length}`)).to.deep.equal(Array(3).fill('PUT 2000000'))
      server.trick(trick, trick)
      expect((await through(clock, blobs.read(ID)))?.size).to.equal(data.length)
      server.trick(trick, trick)
      await through(clock, blobs.remove(ID))
      expect(await server.keys()).to.deep.equal([])
    })

  it('is given up after three tries, with a problem that is retriable and a line for the log without address or secret', async () => {
    server.trick(...Array<Trick>(3).fill(refusing(503, 'SlowDown')))
    const problem = await problemOf(blobs.write(ID, once(Buffer.from('x')), 10))
    expect(problem).to.deep.include({ slug: 'overloaded', retriable: true })
    expect(problem.options).to.deep.include({ retryAfterSeconds: 10, internal: 'the object store answered 503 (SlowDown)' })
    expect(server.requests).to.have.length(3)
    expect(readdirSync(folder.path)).to.deep.equal([])
  })

  it('gets no second request after a permanent refusal', async () => {
    for (const [status, code] of [
      [403, 'AccessDenied'],
      [404, 'NoSuchBucket'],
      [400, 'InvalidRequest'],
      [301, 'PermanentRedirect'],
    ] as const) {
      server.requests.length = 0
      server.trick(refusing(status, code))
      expect((await problemOf(blobs.read(ID))).options.internal).to.equal(`the object store answered ${status} (${code})`)
      expect(server.requests).to.have.length(1)
    }
  })

  it('F-22 leaves neither object nor file when it goes away in the middle of an upload', async () => {
    const spoolFolder = join(folder.path, 'spool')
    server.trick(...Array<Trick>(3).fill(cut))
    expect((await problemOf(blobs.write(ID, once(randomBytes(3_000_000)), 9_000_000))).slug).to.equal('overloaded')
    expect(readdirSync(spoolFolder)).to.deep.equal([])
    expect(await server.keys()).to.deep.equal([])
  })

  it('is not waited for longer than the size of an upload allows', async () => {
    server.trick(silence)
    const writing = blobs.write(ID, once(Buffer.alloc(1_280_000)), 9_000_000)
    writing.catch(() => undefined)
    await until(() => server.requests.length !== 0)
    patience.advance(29_999)
    await settle(20)
    expect(server.requests).to.have.length(1, '20 s and 10 s for the bytes are not over')
    patience.advance(1)
    expect(await through(clock, writing)).to.equal(1_280_000)
    expect(server.requests).to.have.length(2)
  })

  it('B9 that cannot be connected to is waited for no longer than the call may take, for a write and a read', async () => {
    const never = { dial: () => new Promise<never>(() => undefined) } as unknown as Connector
    const silent = new OperatorHttp(never, patience)
    const away = blobsOn(server, { transport: silent, clock, spoolFolder: join(folder.path, 'spool') })
    for (const work of [(cancel: Cancel) => away.write(ID, once(Buffer.from('x')), 9, cancel), (cancel: Cancel) => away.read(ID, cancel)]) {
      const cancel = cancelIn(1_000, clock)
      const working = errorOf(work(cancel))
      await settle(20)
      cancel.cancel('deadline')
      expect(await working).to.include({ name: 'Stopped', reason: 'deadline' })
    }
    await silent.close()
  })

  it('bytes that change on the way are refused by the store, because their hash is signed', async () => {
    const tamper: Trick = (request) => {
      request.body[0] = (request.body[0] ?? 0) ^ 1
      return false
    }
    server.trick(tamper)
    expect((await problemOf(blobs.write(ID, once(Buffer.from('truth')), 10))).options.internal).to.contain('XAmzContentSHA256Mismatch')
    expect(await server.keys()).to.deep.equal([])
  })

  it('an answer that ends too early is an error and never a shorter file', async () => {
    await through(clock, blobs.write(ID, once(Buffer.alloc(100)), 100))
    server.trick((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write(Buffer.alloc(60))
      setImmediate(() => response.socket?.destroy())
      return true
    })
    const blob = await through(clock, blobs.read(ID))
    let bytes = 0
    const reading = (async () => {
      for await (const chunk of blob?.body ?? []) bytes += (chunk as Buffer).length
    })()
    await errorOf(reading)
    expect(bytes).to.be.below(100)
  })

  it('an answer without a length is a failure, so that no link ever answers half a header', async () => {
    server.trick((_request, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).end('x')
      return true
    })
    expect((await problemOf(blobs.read(ID))).options.internal).to.contain('NoContentLength')
  })

  it('an error document without end, or with markup for a code, gives no code and does no harm', async () => {
    const junk: Trick = (_request, response) => {
      response.writeHead(403).write(`<Code><script>${'x'.repeat(200_000)}`)
      return true
    }
    server.trick(junk, honest)
    expect((await problemOf(blobs.read(ID))).options.internal).to.equal('the object store answered 403')
    expect(await through(clock, blobs.read(ID))).to.equal(null)
  })

  it('T-58 objects are harmless even in a bucket open to the world, and no secret leaves with a request', async () => {
    await through(clock, blobs.write(ID, once(Buffer.from('<script>')), 10))
    const [put] = server.requests
    expect(put?.headers).to.deep.include({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-length': '8',
    })
    expect(put?.target).to.equal(`/capstan-files/artifacts/${ID}`)
    expect(JSON.stringify(put?.headers)).not.to.contain(ACCOUNT.secretAccessKey)
  })

  it('temporary credentials send their token, signed', async () => {
    const other = await new S3Server(clock, { ...ACCOUNT, sessionToken: 'token/with+signs=' }).start()
    try {
      const temporary = blobsOn(other, { transport, clock, spoolFolder: folder.path }, { options: '&links=direct' })
      await through(clock, temporary.check())
      const link = await temporary.link(ID, { name: 'x', contentType: 'text/plain', expiresAt: clock.now() + 60_000 })
      expect(new URL(link ?? '').searchParams.get('X-Amz-Security-Token')).to.equal('token/with+signs=')
    } finally {
      await other.close()
    }
  })
})
