import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { startGateway } from '../../support/gateway.js'

describe('a reload of changed settings', () => {
  it('names those that only a restart applies, and applies the others', async function () {
    this.timeout(60_000)
    const gateway = await startGateway({ file: 'limits:\n  body: 1mb\n', bundled: true })
    const reload = async (file: string) => {
      await writeFile(join(gateway.folder, 'capstan.yml'), file)
      const reply = await gateway.admin('POST', '/admin/v1/reload')
      expect(reply.status, reply.text).to.equal(200)
      return reply.json<{ success: boolean; needs_restart: string[] }>()
    }
    const first = () => gateway.app.services.registry().ports.get('search.serp')?.providers[0]?.vendor.id
    try {
      const order = 'waterfall:\n  search.serp: [wikipedia]\n'
      const both = await reload(`limits:\n  body: 2mb\nlog:\n  level: silent\nprograms:\n  bwrap: /bin/true\n${order}`)
      expect(both).to.deep.include({ success: false, needs_restart: ['limits.body', 'programs.bwrap'] })
      expect(first()).to.equal('wikipedia')
      expect(await reload(`limits:\n  body: 1mb\n${order}`)).to.deep.include({ success: true, needs_restart: [] })
    } finally {
      await gateway.close()
    }
  })
})
