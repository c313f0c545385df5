import { expect } from 'chai'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'

const PDF = '%PDF-1.7 made %%EOF'

/** CloudConvert, whose failing conversions cost a credit, and ConvertAPI, whose conversions cost two. */
describe('files.convert: what vendors charge', function () {
  this.timeout(60_000)
  let site: Running
  let gateway: TestGateway

  before(async () => {
    site = await httpServer((request, response) => {
      const path = request.url ?? ''
      const json = (value: unknown): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
      const task = (name: string, operation: string, more: object): object => ({ name, operation, ...more })
      request.resume().on('end', () => {
        if (path === '/letter.docx') response.end('PK\x03\x04 word/document.xml PK\x05\x06' + '\0'.repeat(18))
        else if (path === '/made.pdf') response.end(PDF)
        else if (path === '/cloud/jobs') {
          const form = { url: `${site.url}/upload`, parameters: {} }
          json({ data: { id: 'j1', status: 'waiting', tasks: [task('source', 'import/upload', { status: 'waiting', result: { form } })] } })
        } else if (path === '/cloud/jobs/j1') {
          const tasks = [
            task('source', 'import/upload', { status: 'finished', credits: 0 }),
            task('converted', 'convert', { status: 'error', code: 'UNKNOWN', credits: 1 }),
          ]
          json({ data: { id: 'j1', status: 'error', tasks } })
        } else if (path.startsWith('/api/convert/')) json({ ConversionCost: 2, Files: [{ Url: `${site.url}/made.pdf` }] })
        else response.end()
      })
    })
    gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
        CAPSTAN_WATERFALL_FILES_CONVERT: 'cloudconvert,convertapi',
        CLOUDCONVERT_API_KEY: 'one',
        CONVERTAPI_TOKEN: 'two',
        CAPSTAN_VENDOR_CLOUDCONVERT_URL: `${site.url}/cloud`,
        CAPSTAN_VENDOR_CONVERTAPI_URL: `${site.url}/api`,
      },
    })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
  })

  it('of those that failed goes to the operator alone, and that of the one that worked to the caller too', async () => {
    const reply = await gateway.post('/v1/files/convert', { file_url: `${site.url}/letter.docx`, source_format: 'docx' })
    expect(reply.status, reply.text).to.equal(200)
    const { data, metadata } = reply.json<{ data: { conversion_cost: number }; metadata: { provider_used: string } }>()
    expect(metadata.provider_used).to.equal('convertapi')
    expect(data.conversion_cost).to.equal(2)
    const { text } = await gateway.app.services.telemetry.metrics()
    expect(text).to.contain('capstan_vendor_cost_total{vendor="cloudconvert",currency="credits"} 1')
    expect(text).to.contain('capstan_vendor_cost_total{vendor="convertapi",currency="conversions"} 2')
  })
})
