import { expect } from 'chai'
import { Agent, type IncomingMessage } from 'node:http'
import { startGateway, type Reply, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'
import { BOUNDARY, END, form, FORM, part, partHead, storedFiles, Upload, upload, uploadedFile } from '../../support/upload.js'
import { raw } from '../../support/raw.js'
import { until } from '../../support/time.js'

const LIMIT = 100_000
const QUOTA = 400_000

describe('an upload that is refused', () => {
  let gateway: TestGateway
  before(
    async () => (gateway = await startGateway({ env: { CAPSTAN_LIMIT_UPLOAD: String(LIMIT), CAPSTAN_ARTIFACTS_QUOTA: String(QUOTA) } })),
  )
  after(async () => await gateway.close())
  afterEach('leaves nothing behind', async () => {
    await until(() => storedFiles(gateway.folder).length === 0)
    expect(await gateway.app.services.store.artifacts.used('default')).to.equal(0)
  })
  const key = async (order: Record<string, unknown> = {}) => (await gateway.newKey(order)).key
  const send = async (body: string | Buffer, headers: Record<string, string> = {}) =>
    await upload(gateway, body, { key: await key(), headers })
  const inChunks = async (body: string | Buffer) => {
    const sent = new Upload(gateway, { key: await key() })
    sent.end(body)
    return await sent.reply
  }
  const fault = (reply: Reply) => (expectProblem(reply, 'validation-failed').detail ?? []).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)

  describe('400', () => {
    const unreadable: readonly (readonly [string, string, Record<string, string>?])[] = [
      ['no boundary in the header', part('x').toString() + END, { 'content-type': 'multipart/form-data' }],
      ['an empty boundary', part('x').toString() + END, { 'content-type': 'multipart/form-data; boundary=' }],
      ['a boundary of 71 characters', part('x').toString() + END, { 'content-type': `multipart/form-data; boundary=${'b'.repeat(71)}` }],
      ['a boundary with a line end in it', part('x').toString() + END, { 'content-type': 'multipart/form-data; boundary="a\\b"' }],
      ['another boundary than the body has', part('x').toString() + END, { 'content-type': 'multipart/form-data; boundary=other' }],
      ['a cut body', partHead() + 'abc'],
      ['a cut header', `--${BOUNDARY}\r\nContent-Dispo`],
      ['headers of a part of 1 MB', part('x', { headers: `X-A: ${'a'.repeat(1_000_000)}\r\n` }).toString() + END],
      ['10,000 header lines', part('x', { headers: 'X-A: b\r\n'.repeat(10_000) }).toString() + END],
      ['a part without a name', `--${BOUNDARY}\r\nContent-Disposition: form-data; filename="a"\r\n\r\nx\r\n${END}`],
      ['an encoded part', part('eA==', { headers: 'Content-Transfer-Encoding: base64\r\n' }).toString() + END],
      ['megabytes before its first boundary', 'x'.repeat(90_000) + part('x').toString() + END],
      ['megabytes behind its last boundary', part('x').toString() + END + 'x'.repeat(90_000)],
    ]
    for (const [what, body, headers = {}] of unreadable)
      it(what, async () => {
        const reply = body.length < LIMIT ? await send(body, headers) : await inChunks(body)
        expectProblem(reply, 'malformed-request')
        expect(reply.text).to.contain('multipart/form-data')
      })

    it('a Content-Length that says less than comes: the rest is taken for another request', async () => {
      const body = form(part('x'.repeat(500))).toString()
      const head = `POST /v1/files HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await key()}\r\ncontent-type: ${FORM}\r\ncontent-length: 300\r\n\r\n`
      expect(new Set((await raw(gateway.url, head + body)).statuses)).to.deep.equal(new Set([400]))
    })

    it('a Content-Length that says more than comes, and a caller who leaves then', async () => {
      const sent = new Upload(gateway, { key: await key(), headers: { 'content-length': '50000' } })
      await sent.write(form(part('x')))
      await until(() => gateway.app.services.uploads.running === 1)
      sent.leave()
      await until(() => gateway.app.services.uploads.running === 0)
    })
  })

  it('leaves no listener on a connection that many refused uploads share', async () => {
    const sockets: IncomingMessage['socket'][] = []
    const keep = (socket: IncomingMessage['socket']): void => void sockets.push(socket)
    gateway.server.on('connection', keep)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const [own, headers] = [await key(), { 'content-type': 'multipart/form-data' }]
    const counts: number[] = []
    try {
      for (let count = 0; count < 12; count++) {
        expectProblem(await upload(gateway, form(part('x')), { key: own, agent, headers }), 'malformed-request')
        counts.push(sockets.at(-1)?.listenerCount('close') ?? NaN)
      }
    } finally {
      agent.destroy()
      gateway.server.off('connection', keep)
    }
    expect(sockets.length).to.be.lessThan(3)
    expect(counts.at(-1)).to.equal(counts[0])
  })

  it('401 without a key, and with a wrong one, though the caller still sends', async () => {
    const body = form(part('x'.repeat(90_000)))
    expectProblem(await upload(gateway, body, { key: null }), 'authentication-required')
    expectProblem(await upload(gateway, body, { key: 'cap_wrong' }), 'invalid-api-key')
  })

  describe('403', () => {
    it('for a key whose scopes do not include files.upload, before a byte is kept', async () => {
      const narrow = await key({ scopes: ['test.echo'] })
      const envelope = expectProblem(await upload(gateway, form(part('x')), { key: narrow }), 'key-not-allowed')
      expect(envelope.error?.detail).to.contain('files.upload')
    })

    it('from another address, and for a disabled account', async () => {
      expectProblem(await upload(gateway, form(part('x')), { key: await key({ allowed_ips: ['192.0.2.1'] }) }), 'key-not-allowed')
      const account = await gateway.newAccount(1)
      await gateway.admin('PATCH', `/admin/v1/accounts/${account.id}`, { disabled: true })
      expectProblem(await upload(gateway, form(part('x')), { key: account.key }), 'key-not-allowed')
    })
  })

  describe('413', () => {
    it('for a file over limits.upload, at the byte that is too many', async () => {
      const endless = new Upload(gateway, { key: await key() })
      await endless.write(partHead())
      const reply = endless.reply.finally(() => endless.leave())
      let sent = 0
      for (let answered = false; !answered && sent < 20 * LIMIT; sent += 50_000) {
        await endless.write(Buffer.alloc(50_000))
        answered = await Promise.race([reply.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))])
      }
      expect(expectProblem(await reply, 'payload-too-large').error?.detail)
        .to.contain('limits.upload')
        .and.contain(String(LIMIT))
    })

    it('for a Content-Length over it, before a byte comes', async () => {
      const sent = new Upload(gateway, { key: await key(), headers: { 'content-length': '1000000000000' } })
      expectProblem(await sent.reply, 'payload-too-large')
      sent.leave()
    })

    it('a caller who sends all of a large body before reading gets the reason for the refusal', async () => {
      expectProblem(await send(form(part('x'.repeat(20_000_000)))), 'payload-too-large')
    })
  })

  describe('415', () => {
    for (const [what, headers] of [
      ['JSON', { 'content-type': 'application/json' }],
      ['a URL-encoded form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['another multipart body', { 'content-type': `multipart/mixed; boundary=${BOUNDARY}` }],
      ['nothing said of the body', { 'content-type': '' }],
      ['a compressed body', { 'content-encoding': 'gzip' }],
    ] as const)
      it(what, async () => {
        const envelope = expectProblem(await send(form(part('x')), headers), 'unsupported-media-type')
        expect(envelope.error?.detail).to.match(/^This endpoint accepts .*, not \S+\.$/)
        expect(envelope.error?.alternative_action).to.contain('"file"').and.to.contain('curl -F')
      })
  })

  describe('422', () => {
    it('for a form without the field, and for no body at all', async () => {
      expect(fault(await send(form()))).to.deep.equal(['body.file: this field is required'])
      expect(fault(await send(''))).to.deep.equal(['body.file: this field is required'])
    })

    it('for another field', async () => {
      expect(fault(await send(form(part('x', { name: 'document' }))))).to.match(/^body\.document: .*"file"/)
    })

    it('for two files, and for a further field', async () => {
      expect(fault(await send(form(part('x'), part('y'))))).to.match(/^body\.file: must be one file/)
      expect(fault(await send(form(part('x'), part('y', { name: 'more', filename: null }))))).to.match(/^body\.more: /)
    })

    it('for 10,000 parts', async () => {
      expect(fault(await inChunks(form(...Array.from({ length: 10_000 }, () => part('x')))))).to.match(/^body\.file: must be one file/)
      expect(fault(await inChunks(form(...Array.from({ length: 10_000 }, (_, index) => part('x', { name: `f${index}` })))))).to.match(
        /^body\.f0: /,
      )
    })

    it('for text in place of a file, also of a nested form', async () => {
      expect(fault(await send(form(part('x', { filename: null }))))).to.match(/^body\.file: must be a file with a file name, as curl/)
      const nested = part(form(part('x')), { filename: null, headers: 'Content-Type: multipart/mixed; boundary=other\r\n' })
      expect(fault(await send(nested.toString() + END))).to.match(/^body\.file: must be a file/)
    })

    it('for an empty file', async () => {
      expect(fault(await send(form(part(''))))).to.deep.equal(['body.file: The file is empty.'])
    })

    it('for a field whose name is a page long, with the beginning of it', async () => {
      expect(fault(await send(form(part('x', { name: 'n'.repeat(3_000) })))).toString()).to.have.lengthOf.below(300)
    })
  })

  describe('429', () => {
    it('over the rate of the key', async () => {
      const slow = await key({ rate_limit_per_minute: 1 })
      await upload(gateway, form(), { key: slow })
      expectProblem(await upload(gateway, form(part('x')), { key: slow }), 'rate-limited')
    })

    it('while the account has eight running; another account has its own', async () => {
      const mine = await key()
      const running = Array.from({ length: 8 }, () => new Upload(gateway, { key: mine }))
      await until(() => gateway.app.services.uploads.running === 8)
      const envelope = expectProblem(await upload(gateway, form(part('x')), { key: mine }), 'too-many-in-flight')
      expect(envelope.error?.detail).to.contain('8 uploads')
      const other = await gateway.newAccount(1)
      expect((await upload(gateway, form(part('')), { key: other.key })).status).to.equal(422)
      for (const each of running) each.leave()
      await until(() => gateway.app.services.uploads.running === 0)
    })
  })

  it('413 for a file that is larger than the whole quota: it would never fit, so no client repeats it', async () => {
    const small = await startGateway({ env: { CAPSTAN_LIMIT_UPLOAD: '500000', CAPSTAN_ARTIFACTS_QUOTA: '100000' } })
    try {
      const reply = await upload(small, form(part('x'.repeat(150_000))), { key: small.key })
      expect(expectProblem(reply, 'payload-too-large').error?.detail).to.contain('100000 bytes').and.contain('artifacts_quota')
    } finally {
      await small.close()
    }
  })

  describe('503', () => {
    it('A11 for files of a byte once 16 KiB each take the quota, with the limit in its words', async () => {
      const other = await gateway.newAccount(1)
      const most = Math.floor(QUOTA / 16_384)
      for (let files = 0; files < most; files++) uploadedFile(await upload(gateway, form(part('x')), { key: other.key }))
      const refused = expectProblem(await upload(gateway, form(part('x')), { key: other.key }), 'overloaded')
      expect(refused.error?.detail).to.contain('artifacts_quota').and.contain('at least 16384 bytes')
      expect(await gateway.app.services.store.artifacts.used(other.id)).to.equal(most * 16_384)
      expect(storedFiles(gateway.folder)).to.have.lengthOf(most)
      const { artifacts, store } = gateway.app.services
      for (const { id } of await store.artifacts.expired(Date.now() + 1e9, 100)) await artifacts.discard(id)
      expect(await store.artifacts.used(other.id)).to.equal(0)
    })

    it('over the quota of the account, while the file comes, naming the setting', async () => {
      const other = await gateway.newAccount(1)
      for (let files = 0; files < 4; files++) uploadedFile(await upload(gateway, form(part('x'.repeat(95_000))), { key: other.key }))
      const reply = await upload(gateway, form(part('x'.repeat(95_000))), { key: other.key })
      expect(expectProblem(reply, 'overloaded').error?.detail).to.contain('artifacts_quota')
      expect(await gateway.app.services.store.artifacts.used(other.id)).to.equal(4 * 95_000)
      expect(storedFiles(gateway.folder)).to.have.lengthOf(4)
      await gateway.app.services.store.artifacts.expired(Date.now() + 1e9, 10).then(async (files) => {
        for (const { id } of files) await gateway.app.services.artifacts.discard(id)
      })
    })

    it('from more than 64 of several accounts', async () => {
      const accounts = await Promise.all(Array.from({ length: 9 }, () => gateway.newAccount(1)))
      const running = accounts.slice(0, 8).flatMap(({ key: each }) => Array.from({ length: 8 }, () => new Upload(gateway, { key: each })))
      await until(() => gateway.app.services.uploads.running === 64)
      expectProblem(await upload(gateway, form(part('x')), { key: accounts[8]?.key ?? '' }), 'overloaded')
      for (const each of running) each.leave()
      await until(() => gateway.app.services.uploads.running === 0)
    })
  })

  it('405 for another method, and the error itself for whoever accepts application/problem+json', async () => {
    expect((await gateway.get('/v1/files')).headers.allow).to.equal('POST')
    const reply = await send(form(), { accept: 'application/problem+json' })
    expect(reply.headers['content-type']).to.contain('application/problem+json')
    expect(reply.json<{ status: number }>().status).to.equal(422)
  })
})
