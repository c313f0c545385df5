import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { noCallFiles } from '../support/call-files.js'
import { FileVendor, type FileTrouble } from '../support/file-vendor.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { TemporaryFolder } from '../support/store.js'
import { until } from '../support/time.js'

const MIB = 1024 * 1024

interface Answer {
  readonly url: string
  readonly size: number
  readonly name: string
  readonly type: string
}

describe('files to and from a vendor, through the whole gateway', () => {
  let vendor: FileVendor
  let gateway: TestGateway
  let temporary: TemporaryFolder
  const usual = tmpdir()
  before(async () => {
    temporary = new TemporaryFolder()
    process.env['TMPDIR'] = temporary.path
    vendor = await FileVendor.start()
    gateway = await startGateway({ bundled: true, env: { ...vendor.env, CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY: '100' } })
  })
  after(async () => {
    await gateway.close()
    await vendor.close()
    process.env['TMPDIR'] = usual
    temporary.remove()
  })
  beforeEach(async () => {
    vendor.trouble = 'none'
    vendor.requests.length = 0
    await gateway.admin('POST', '/admin/v1/providers/work/filer/resume')
  })
  afterEach(() => noCallFiles(temporary.path))

  for (const [way, sent, got] of [
    ['form', 'POST /jobs/7/file signed', 'GET /bucket/out'],
    ['raw', 'POST /jobs/7/file signed', 'GET /jobs/7/result signed'],
    ['put', 'PUT /bucket/in', 'GET /bucket/out'],
  ] as const)
    it(`${way}: up with its length, down under its name; only the vendor's own address is signed`, async () => {
      const reply = await gateway.post('/v1/work', { size: 100_000, way })
      expect(reply.status, reply.text).to.equal(200)
      const { data } = reply.json<{ data: Answer }>()
      expect(data).to.include({ size: vendor.taken.size, name: 'résult.bin', type: 'application/octet-stream' })
      if (way !== 'form')
        expect(vendor.taken).to.deep.equal({ size: 100_000, sha256: createHash('sha256').update(Buffer.alloc(100_000, 97)).digest('hex') })
      expect(vendor.requests).to.deep.equal(['POST /jobs signed', sent, 'GET /jobs/7 signed', 'GET /jobs/7 signed', got])
    })

  it('200 MiB go up and come down in bounded memory', async function () {
    this.timeout(180_000)
    const memory = (): number => {
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    globalThis.gc?.()
    const before = memory()
    let most = 0
    const sampling = setInterval(() => (most = Math.max(most, memory() - before)), 20)
    const reply = await gateway.post('/v1/work', { size: 200 * MIB, way: 'put' })
    clearInterval(sampling)
    expect(reply.status, reply.text).to.equal(200)
    const { url, size } = reply.json<{ data: Answer }>().data
    expect([size, vendor.taken.size]).to.deep.equal([200 * MIB, 200 * MIB])
    expect(most, 'bytes in memory').to.be.below(120 * MIB)
    expect((await gateway.send(new URL(url).pathname + new URL(url).search, { method: 'HEAD' })).headers['content-length']).to.equal(
      String(200 * MIB),
    )
  })

  const leaving = (body: unknown): (() => void) => {
    const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
    const sent = request(`${gateway.url}/v1/work`, { method: 'POST', headers }).on('error', () => undefined)
    sent.end(JSON.stringify(body))
    return () => void sent.destroy()
  }

  for (const [trouble, way, arrived] of [
    ['hangs taking', 'put', 'PUT /bucket/in'],
    ['hangs taking', 'form', 'POST /jobs/7/file signed'],
    ['hangs giving', 'put', 'GET /bucket/out'],
  ] as const)
    it(`a caller who leaves while the vendor ${trouble} (${way}) ends it all: nothing is charged, nothing stays on the disk`, async () => {
      const money = await gateway.money()
      vendor.trouble = trouble
      const leave = leaving({ size: 32 * MIB, way })
      await until(() => vendor.requests.includes(arrived) && vendor.arrived > 0, 20_000)
      leave()
      await gateway.app.services.running.idle()
      if (trouble === 'hangs taking') await until(() => vendor.requests.includes('DELETE /jobs/7 signed'), 5_000)
      await noCallFiles(temporary.path)
      expect(await gateway.money()).to.deep.equal(money)
    })

  const troubles: [FileTrouble, string, RegExp][] = [
    ['cuts taking', 'put', /could not be used|connection/],
    ['cuts taking', 'form', /connection to the vendor failed/],
    ['cuts giving', 'put', /could not be used/],
    ['cuts giving', 'raw', /connection to the vendor failed/],
    ['expired', 'put', /answered with status 403/],
    ['expired', 'raw', /refused our credentials/],
    ['a page', 'put', /page in place of a file/],
    ['a page', 'raw', /page in place of a file/],
    ['a bomb', 'put', /could not be used/],
    ['a bomb', 'raw', /cannot be read/],
  ]
  for (const [trouble, way, sentence] of troubles)
    it(`a vendor's storage that ${trouble} (${way}) is the vendor's failure, free, and nothing stays on the disk`, async () => {
      const money = await gateway.money()
      vendor.trouble = trouble
      const reply = await gateway.post('/v1/work', { size: 4 * MIB, way })
      expect(reply.status, reply.text).to.be.oneOf([502, 503])
      expect(reply.text).to.match(sentence)
      await noCallFiles(temporary.path)
      expect(await gateway.money()).to.deep.equal(money)
      if (trouble === 'cuts taking') await until(() => vendor.requests.includes('DELETE /jobs/7 signed'), 5_000)
    })
})
