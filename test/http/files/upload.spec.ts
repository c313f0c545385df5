import { expect } from 'chai'
import { createHash, randomBytes } from 'node:crypto'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectHeaders } from '../../support/problem.js'
import { form, part, storedFiles, Upload, upload, uploadedFile, partHead, END, BOUNDARY } from '../../support/upload.js'

describe('POST /v1/files', () => {
  let gateway: TestGateway
  before(async () => (gateway = await startGateway()))
  after(async () => await gateway.close())
  const get = (url: string) => gateway.send(new URL(url).pathname + new URL(url).search, { key: null })
  const used = () => gateway.app.services.store.artifacts.used('default')

  it('answers the envelope of capabilities, free of charge, with a link to the bytes', async () => {
    const before = await gateway.money()
    const reply = await upload(gateway, form(part('%PDF-1.7\nhello', { filename: 'report.pdf' })))
    expectHeaders(reply)
    expect(reply.headers['x-credits-used']).to.equal('0')
    expect(reply.headers['x-ratelimit-limit']).to.equal('60')
    const envelope = reply.json()
    expect(envelope).to.include({ success: true, error: null, credits_used: 0 })
    expect(envelope.metadata).to.include({ provider_used: null, mode_used: null, credits_balance: before.balance })
    expect(envelope.metadata.request_id).to.equal(reply.headers['x-request-id'])
    const { file_url, expires_at, ...data } = uploadedFile(reply)
    expect(data).to.deep.equal({ file_name: 'report.pdf', file_size: 14, content_type: 'application/pdf' })
    expect(Date.parse(expires_at)).to.be.above(Date.now())
    const file = await get(file_url)
    expect(file.text).to.equal('%PDF-1.7\nhello')
    expect(file.headers['content-disposition']).to.contain('attachment; filename="report.pdf"')
    expect(await gateway.money()).to.deep.equal(before)
  })

  it('says what the bytes are, not what was said of them', async () => {
    const page = part('<!DOCTYPE html><p>hi', { filename: 'photo.jpg', headers: 'Content-Type: image/jpeg\r\n' })
    expect(uploadedFile(await upload(gateway, form(page)))).to.include({ content_type: 'text/html', file_name: 'photo.jpg' })
    expect(uploadedFile(await upload(gateway, form(part(Buffer.from([0, 1, 2, 3]), { filename: 'a.pdf' }))))).to.include({
      content_type: 'application/octet-stream',
    })
  })

  it('takes files without a Content-Type, in a form of another client, and in chunks', async () => {
    const plain = await upload(gateway, form(part('a,b', { filename: 'list.csv' })))
    expect(uploadedFile(plain).content_type).to.equal('text/csv')
    const data = new FormData()
    data.append('file', new Blob(['# hi']), 'notes.md')
    const response = await fetch(`${gateway.url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}` },
      body: data,
    })
    expect(((await response.json()) as { data: object }).data).to.include({ content_type: 'text/markdown', file_size: 4 })
    const slow = new Upload(gateway)
    for (const piece of [partHead(), 'one ', 'two', '\r', '\n', END]) await slow.write(piece)
    slow.end()
    expect((await get(uploadedFile(await slow.reply).file_url)).text).to.equal('one two')
  })

  it('keeps every byte of a file, whatever is in it', async () => {
    const bytes = Buffer.concat([
      randomBytes(700_000),
      Buffer.from(`\r\n--${BOUNDARY}x\r\n--${BOUNDARY.slice(1)}--\r\n`),
      Buffer.alloc(300_000, '\r\n-'),
    ])
    const { file_url, file_size } = uploadedFile(await upload(gateway, form(part(bytes))))
    expect(file_size).to.equal(bytes.length)
    const got = Buffer.from(await (await fetch(file_url)).arrayBuffer())
    expect(createHash('sha256').update(got).digest('hex')).to.equal(createHash('sha256').update(bytes).digest('hex'))
  })

  for (const [sent, kept] of [
    ['../../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\plan.docx', 'plan.docx'],
    ['a%0D%0AX-Evil: 1', 'a__X-Evil_ 1'],
    ['a\0b.txt', 'a_b.txt'],
    ['\u202egpj.exe', '_gpj.exe'],
    ['.htaccess', 'htaccess'],
    ['你好 résumé.pdf', '你好 résumé.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(116)}.pdf`],
    ['', 'file'],
  ] as const)
    it(`T-60 a file named ${JSON.stringify(sent).slice(0, 40)} is called ${kept.slice(0, 20)}`, async () => {
      const { file_name, file_url } = uploadedFile(await upload(gateway, form(part('x', { filename: sent }))))
      expect(file_name).to.equal(kept)
      const reply = await get(file_url)
      expect(reply.status).to.equal(200)
      expect(reply.headers).not.to.have.property('x-evil')
    })

  it('many at once are all kept, each its own', async () => {
    const before = await used()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => upload(gateway, form(part(`file ${index}`.repeat(10_000), { filename: `${index}.txt` })))),
    )
    const texts = await Promise.all(replies.map(async (reply) => (await get(uploadedFile(reply).file_url)).text))
    expect(texts).to.deep.equal(Array.from({ length: 8 }, (_, index) => `file ${index}`.repeat(10_000)))
    expect((await used()) - before).to.equal(8 * 60_000)
  })

  it('goes on over a connection that is used again', async () => {
    const agentless = await fetch(`${gateway.url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}` },
      body: new FormData(),
    })
    expect(agentless.status).to.equal(422)
    await agentless.text()
    expect((await upload(gateway, form(part('x')))).status).to.equal(200)
  })

  it('continues while the gateway reloads its plugins', async () => {
    const running = new Upload(gateway)
    await running.write(partHead() + 'before ')
    await gateway.app.services.reload()
    running.end(`after\r\n${END}`)
    expect((await get(uploadedFile(await running.reply).file_url)).text).to.equal('before after')
  })

  it('is described with its form, its answer and its problems', async () => {
    const { paths } = (await gateway.get('/v1/openapi.json')).json<{ paths: Record<string, { post: Record<string, unknown> }> }>()
    const operation = paths['/v1/files']?.post
    expect(operation).to.nested.include({ 'requestBody.required': true })
    const body = operation?.['requestBody'] as { content: Record<string, { schema: { properties: object; required: string[] } }> }
    expect(Object.keys(body.content)).to.deep.equal(['multipart/form-data'])
    expect(body.content['multipart/form-data']?.schema.required).to.deep.equal(['file'])
    expect(Object.keys(operation?.['responses'] as object)).to.include.members([
      '200',
      '400',
      '401',
      '403',
      '413',
      '415',
      '422',
      '429',
      '503',
    ])
  })

  it('leaves no file half written', () => {
    expect(storedFiles(gateway.folder).filter((name) => name.endsWith('.partial'))).to.deep.equal([])
  })
})
