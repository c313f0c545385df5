import { expect } from 'chai'
import { S3Blobs } from '../../../core/files/s3/blobs.js'
import { HandClock } from '../../support/outbound.js'
import { ACCOUNT, BUCKET, blobsOn, honest, operatorHttp, refuse, refusing, S3Server, through, type Trick } from '../../support/s3.js'
import type { OperatorHttp } from '../../../core/outbound/operator.js'
import { TemporaryFolder } from '../../support/store.js'
import { errorOf } from '../../support/unit.js'

const always = (trick: Trick): Trick[] => Array<Trick>(3).fill(trick)

describe('the check of an object store', () => {
  let clock: HandClock
  let server: S3Server
  let folder: TemporaryFolder
  let transport: OperatorHttp
  const on = (more: Parameters<typeof blobsOn>[2] = {}): S3Blobs => blobsOn(server, { transport, clock, spoolFolder: folder.path }, more)
  const at = (setting: string): S3Blobs =>
    new S3Blobs(setting, { credentials: ACCOUNT, transport, clock, spoolFolder: folder.path, random: () => 0 })
  beforeEach(async () => {
    clock = new HandClock()
    server = await new S3Server(clock).start()
    folder = new TemporaryFolder()
    transport = operatorHttp(new HandClock())
  })
  afterEach(async () => {
    await transport.close()
    await server.close()
    folder.remove()
  })
  const complaint = async (blobs: S3Blobs): Promise<string> => {
    const { message } = await errorOf(through(clock, blobs.check()))
    expect(message, 'one line').not.to.contain('\n')
    for (const secret of [ACCOUNT.secretAccessKey, ACCOUNT.accessKeyId]) expect(message).not.to.contain(secret)
    return message
  }

  it('passes on a bucket that works, and leaves nothing in it', async () => {
    await on().check()
    expect(await server.keys()).to.deep.equal([])
    expect(server.requests.map(({ method }) => method)).to.deep.equal(['PUT', 'GET', 'DELETE', 'GET'])
  })

  it('a wrong bucket: names bucket and setting', async () => {
    const message = await complaint(at(server.setting().replace(BUCKET, 'another-bucket')))
    expect(message).to.contain('no bucket "another-bucket"').and.contain('CAPSTAN_ARTIFACTS')
  })

  it('a wrong access key: names CAPSTAN_S3_ACCESS_KEY_ID', async () => {
    expect(await complaint(on({ account: { accessKeyId: 'AKIDUNKNOWN' } }))).to.contain('CAPSTAN_S3_ACCESS_KEY_ID')
  })

  it('a wrong secret: names CAPSTAN_S3_SECRET_ACCESS_KEY', async () => {
    const secretAccessKey = 'canary-wrong-secret'
    const message = await complaint(on({ account: { secretAccessKey } }))
    expect(message).to.contain('CAPSTAN_S3_SECRET_ACCESS_KEY').and.not.contain(secretAccessKey)
  })

  it('a session token that is no longer good: names CAPSTAN_S3_SESSION_TOKEN', async () => {
    const message = await complaint(on({ account: { sessionToken: 'canary-old-token' } }))
    expect(message).to.contain('CAPSTAN_S3_SESSION_TOKEN').and.not.contain('canary')
  })

  it('a wrong region: says the right one', async () => {
    const setting = server.setting().replace(ACCOUNT.region, 'us-west-9')
    expect(await complaint(at(setting))).to.contain(`is in region ${ACCOUNT.region}, not us-west-9: set region=${ACCOUNT.region}`)
    server.trick((_request, response) => {
      response.setHeader('x-amz-bucket-region', 'ap-south-1')
      refuse(response, 301, 'PermanentRedirect')
      return true
    })
    expect(await complaint(on())).to.contain('set region=ap-south-1')
  })

  it('a clock that is off: says by how much and which way', async () => {
    const late = new HandClock()
    late.advance(20 * 60_000)
    const ahead = new S3Blobs(server.setting(), { credentials: ACCOUNT, transport, clock: late, spoolFolder: folder.path })
    expect((await errorOf(ahead.check())).message).to.match(/clock of this machine is (?:1199|1200|1201) s ahead of/)
    const behind = new S3Blobs(server.setting(), { credentials: ACCOUNT, transport, clock: new HandClock(), spoolFolder: folder.path })
    clock.advance(3_600_000)
    expect((await errorOf(behind.check())).message).to.match(/ s behind/)
  })

  it('nothing that listens, and an unknown name: the endpoint', async () => {
    expect(await complaint(at(`s3://${BUCKET}?endpoint=http://127.0.0.1:1`)))
      .to.contain('nothing listens there')
      .and.contain('endpoint')
    server.trick(...always((_request, response) => (response.socket?.destroy(), true)))
    expect(await complaint(on())).to.contain('cannot be reached')
  })

  for (const [index, [action, permission]] of [
    ['write', 's3:PutObject'],
    ['read', 's3:GetObject'],
    ['delete', 's3:DeleteObject'],
    ['find', 's3:ListBucket'],
  ].entries())
    it(`a key that may not ${action}: names ${permission}`, async () => {
      server.trick(...Array<Trick>(index).fill(honest), refusing(403, 'AccessDenied'))
      expect(await complaint(on())).to.contain(`grant ${permission}`)
    })

  it('a store that forgets what it was given, or keeps what it should delete', async () => {
    const done: Trick = (_request, response) => {
      response.writeHead(200, { 'content-length': '0' }).end()
      return true
    }
    server.trick(done)
    expect(await complaint(on())).to.contain('did not return')
    server.trick(honest, honest, done)
    expect(await complaint(on())).to.contain('kept what was just deleted')
  })

  it('anything else: the status and the code as they came', async () => {
    server.trick(...always(refusing(503, 'SlowDown')))
    expect(await complaint(on())).to.contain('answered 503 SlowDown')
    server.trick(refusing(405, 'MethodNotAllowed'))
    expect(await complaint(on()))
      .to.contain('answered 405 MethodNotAllowed')
      .and.contain('CAPSTAN_ARTIFACTS')
    server.trick(refusing(302, ''))
    expect(await complaint(on())).to.contain('redirects')
  })
})
