import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { S3Signer } from '../../../core/files/s3/signer.js'
import { refusalOf, type WireRequest } from '../../../core/sdk/testkit/s3-verifier.js'

/** The account, moment and requests of Amazon's published examples of Signature Version 4 for S3. */
const ACCOUNT = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
  region: 'us-east-1',
}
const NOW = Date.UTC(2013, 4, 24)
const HOST = 'examplebucket.s3.amazonaws.com'
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const WELCOME = Buffer.from('Welcome to Amazon S3.')

const authorization = (signed: string, signature: string): string =>
  `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signed},Signature=${signature}`
const get = (target: string, signature: string, more: Record<string, string> = {}): WireRequest => ({
  method: 'GET',
  target,
  body: Buffer.alloc(0),
  headers: {
    host: HOST,
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': EMPTY,
    ...more,
    authorization: authorization(['host', ...Object.keys(more), 'x-amz-content-sha256', 'x-amz-date'].join(';'), signature),
  },
})
const PUBLISHED: Readonly<Record<string, WireRequest>> = {
  'an object by range': get('/test.txt', 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41', { range: 'bytes=0-9' }),
  "a bucket's lifecycle": get('/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'),
  'a list of objects': get('/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'),
  'an upload': {
    method: 'PUT',
    target: '/test$file.text',
    body: WELCOME,
    headers: {
      host: HOST,
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-date': '20130524T000000Z',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      authorization: authorization(
        'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
        '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
      ),
    },
  },
  'a presigned link': {
    method: 'GET',
    target:
      '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    body: Buffer.alloc(0),
    headers: { host: HOST },
  },
}

describe('the verifier of the S3 tests', () => {
  for (const [name, request] of Object.entries(PUBLISHED)) {
    it(`takes Amazon's published example of ${name}`, () => {
      expect(refusalOf(request, ACCOUNT, NOW)).to.equal(null)
    })

    it(`refuses ${name} after any change`, () => {
      const changed: [Partial<WireRequest>, string][] = [
        [{ method: 'DELETE' }, 'SignatureDoesNotMatch'],
        [{ target: request.target.replace('/', '/x') }, 'SignatureDoesNotMatch'],
        [{ target: `${request.target}${request.target.includes('?') ? '&' : '?'}acl=` }, 'SignatureDoesNotMatch'],
        [{ headers: { ...request.headers, host: 'other.example.com' } }, 'SignatureDoesNotMatch'],
        [{ headers: { ...request.headers, 'x-amz-acl': 'public-read' } }, 'AccessDenied'],
      ]
      if (!request.target.includes('X-Amz')) changed.push([{ body: Buffer.from('Welcome to Amazon S4.') }, 'XAmzContentSHA256Mismatch'])
      for (const [change, code] of changed) expect(refusalOf({ ...request, ...change }, ACCOUNT, NOW)?.code).to.equal(code)
      expect(refusalOf(request, { ...ACCOUNT, secretAccessKey: 'another' }, NOW)?.code).to.equal('SignatureDoesNotMatch')
      expect(refusalOf(request, { ...ACCOUNT, accessKeyId: 'another' }, NOW)?.code).to.equal('InvalidAccessKeyId')
      expect(refusalOf(request, { ...ACCOUNT, region: 'eu-west-1' }, NOW)).to.deep.include({
        code: 'AuthorizationHeaderMalformed',
        region: 'eu-west-1',
      })
    })
  }

  it('refuses what comes too late, too early or unsigned', () => {
    const { 'a presigned link': link, 'an upload': upload } = PUBLISHED
    if (link === undefined || upload === undefined) throw new Error('examples are missing')
    expect(refusalOf(link, ACCOUNT, NOW + 86_399_000)).to.equal(null)
    expect(refusalOf(link, ACCOUNT, NOW + 86_400_000)?.code).to.equal('AccessDenied')
    expect(refusalOf(link, ACCOUNT, NOW - 901_000)?.code).to.equal('RequestTimeTooSkewed')
    expect(refusalOf(upload, ACCOUNT, NOW + 901_000)?.code).to.equal('RequestTimeTooSkewed')
    expect(refusalOf({ ...upload, headers: { host: HOST } }, ACCOUNT, NOW)?.code).to.equal('AccessDenied')
  })
})

describe('signatures of requests to an object store', () => {
  const signer = new S3Signer(ACCOUNT, 'us-east-1')

  it("are those of Amazon's published examples", async () => {
    for (const [name, target] of [
      ["a bucket's lifecycle", '/?lifecycle'],
      ['a list of objects', '/?max-keys=2&prefix=J'],
      ['an upload', '/test$file.text'],
    ] as const) {
      const { method = '', headers = {}, body = WELCOME } = PUBLISHED[name] ?? {}
      const { date, 'x-amz-storage-class': storage } = headers
      const own = { ...(date === undefined ? {} : { date }), ...(storage === undefined ? {} : { 'x-amz-storage-class': storage }) }
      const sha256 = createHash('sha256').update(body).digest('hex')
      const signed = await signer.headers({ method, url: `https://${HOST}${target}`, headers: own, sha256, now: NOW })
      expect(signed['authorization']?.replaceAll(', ', ','), name).to.equal(headers['authorization'])
    }
    const link = await signer.link(`https://${HOST}/test.txt`, {}, { now: NOW, seconds: 86_400 })
    expect(link).to.equal(`https://${HOST}${PUBLISHED['a presigned link']?.target}`)
  })
})
