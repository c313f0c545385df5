import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PollingVendor } from '../../core/sdk/testkit/index.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'
import { needs } from '../support/exec-sandbox.js'

const POLL = new URL('../../core/sdk/poll.js', import.meta.url).href
/** A capability whose only provider writes a file of the call, waits for a vendor's job and runs a program that was started before. */
const contract = (version: string) => `import { capability, flat, Fault, provider, Type, vendor, warmProgram } from 'capstan/sdk'
import { poll } from '${POLL}'
export const work = capability({
  id: 'demo_work', path: '/v1/demo-work', title: 'Work', description: 'Works.', price: flat(1), work: 'light', timeoutMs: 60_000,
  input: Type.Object({ text: Type.String({ description: 'Text.' }) }),
  output: Type.Object({ text: Type.String(), version: Type.String() }),
  examples: [{ title: 'One', params: { text: 'x' } }],
})
const START = "open('/job/.tmp/up', 'w').close()\\nopen('/job/.tmp/go').readline()\\nprint(open('text').read().upper(), end='')"
const upper = warmProgram({ id: 'demo.upper', program: 'python3', args: ['-c', START], ready: '/job/.tmp/up', job: 'itself' })
const jobs = vendor({ id: 'demo-jobs', title: 'Jobs', needsUrl: true, programs: { python3: 'python3', bwrap: 'bubblewrap' } })
const Job = Type.Object({ status: Type.String() })
export const works = provider(work, {
  vendor: jobs,
  run: async ({ text }, ctx) => {
    const file = await ctx.scratch.write(Buffer.from(text))
    await ctx.api.json({ method: 'POST', path: '/jobs', json: {} }, Type.Object({ id: Type.String() }))
    const ask = (own) => own.api.json({ path: '/jobs/j1' }, Job)
    const read = ({ status }) => (status === 'done' ? { state: 'done', result: status } : { state: 'running', waitMs: 100 })
    await poll(ctx, { ask, read })
    const { code, stdout } = await ctx.exec('python3', upper.args, { warm: upper, files: [{ name: 'text', data: file }] })
    if (code !== 0) throw new Fault('broken', 'The program failed.')
    return { text: Buffer.from(stdout).toString(), version: '${version}' }
  },
})
`

describe('a reload while files, jobs and programs that are kept warm are in use', function () {
  this.timeout(60_000)
  let vendor: PollingVendor
  let folder: PluginFolder
  let gateway: TestGateway
  let path: string
  const call = () => gateway.post('/v1/demo-work', { text: 'kettle' })

  before(async function () {
    needs(this, 'bwrap', 'python3')
    const running = { json: { status: 'running' } }
    vendor = await PollingVendor.start({ json: { status: 'done' } }, running, running, running, running, { json: { status: 'done' } })
    folder = await PluginFolder.make()
    path = await folder.write('work', { 'index.mjs': index('work', '', 'capstan/sdk'), 'contract.mjs': contract('one') })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path, CAPSTAN_VENDOR_DEMO_JOBS_URL: vendor.url } })
  })
  after(async () => {
    await gateway?.close()
    await folder?.remove()
    await vendor?.close()
  })

  it('loses none: the call ends with the code it began with, and the next one has the new code', async () => {
    const first = await call()
    expect(first.json().data, first.text).to.deep.equal({ text: 'KETTLE', version: 'one' })
    const second = call()
    await vendor.came('GET', 2)
    await writeFile(join(path, 'contract.mjs'), contract('two'))
    const reload = await gateway.admin('POST', '/admin/v1/reload')
    expect(reload.status, reload.text).to.equal(200)
    const reply = await second
    expect(reply.json().data, reply.text).to.deep.equal({ text: 'KETTLE', version: 'one' })
    expect((await call()).json().data).to.deep.equal({ text: 'KETTLE', version: 'two' })
  })
})
