import { expect } from 'chai'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { noCallFiles } from '../../test/support/call-files.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { officeDocuments } from '../../test/support/office-documents.js'
import { TemporaryFolder } from '../../test/support/store.js'

interface Answer {
  readonly file_name: string
  readonly file_size: number
  readonly file_url: string
  readonly conversion_cost: number
  readonly source_format: string
  readonly target_format: string
}

describe('files.convert', function () {
  this.timeout(400_000)
  const usual = tmpdir()
  let site: Running
  let gateway: TestGateway
  let temporary: TemporaryFolder
  let documents: Readonly<Record<string, string | Uint8Array>>

  before(async function () {
    needs(this, 'soffice', 'bwrap')
    temporary = new TemporaryFolder()
    await chmod(temporary.path, 0o711)
    process.env['TMPDIR'] = temporary.path
    site = await httpServer((request, response) => {
      const data = documents[decodeURIComponent((request.url ?? '').slice(1))]
      response.statusCode = data === undefined ? 404 : 200
      response.end(data)
    })
    documents = officeDocuments(site.url)
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    process.env['TMPDIR'] = usual
    temporary?.remove()
  })

  const convert = async (name: string, from: string, to: string) =>
    await gateway.post('/v1/files/convert', { file_url: `${site.url}/${name}`, source_format: from, target_format: to })
  const made = async (name: string, from: string, to: string): Promise<{ answer: Answer; bytes: Buffer }> => {
    const reply = await convert(name, from, to)
    expect(reply.status, reply.text).to.equal(200)
    const answer = reply.json<{ data: Answer }>().data
    return { answer, bytes: Buffer.from(await (await fetch(answer.file_url)).arrayBuffer()) }
  }

  it('makes a PDF of a Word document', async () => {
    const { answer, bytes } = await made('plain.docx', 'DOCX', 'pdf')
    expect(answer).to.deep.include({ file_name: 'plain.pdf', source_format: 'docx', target_format: 'pdf', conversion_cost: 0 })
    expect(bytes.toString('latin1', 0, 5)).to.equal('%PDF-')
    expect(answer.file_size).to.equal(bytes.length)
  })

  it('leaves no file behind', async () => {
    await noCallFiles(temporary.path)
  })
})
