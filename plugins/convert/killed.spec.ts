import { expect } from 'chai'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { noCallFiles } from '../../test/support/call-files.js'
import { HandClock } from '../../test/support/outbound.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway } from '../../test/support/gateway.js'
import { officeDocuments } from '../../test/support/office-documents.js'
import { Served } from '../../test/support/served.js'
import { TemporaryFolder } from '../../test/support/store.js'
import { until } from '../../test/support/time.js'

const WAIT_MS = 60_000
const CALL_MS = 120_000

interface Process {
  readonly pid: number
  readonly parent: number
  /** Ticks since boot: distinguishes a process from a later one with the same id. */
  readonly began: string
  readonly name: string
}

/** The processes of this machine (proc(5)). One that ends meanwhile is left out. */
function processes(): Process[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? []
      const fields = rest.split(' ')
      return [{ pid: Number(entry), parent: Number(fields[1]), began: fields[19] ?? '', name }]
    } catch {
      return []
    }
  })
}

/** All descendants of a process. */
function below(pid: number): Process[] {
  const all = processes()
  const own = (parent: number): Process[] => all.filter((each) => each.parent === parent).flatMap((each) => [each, ...own(each.pid)])
  return own(pid)
}

describe('T-52 files.convert: a gateway that is killed in mid-conversion', function () {
  this.timeout(300_000)
  let temporary: TemporaryFolder
  let site: Running

  before(async function () {
    needs(this, 'bwrap', 'gs', 'soffice')
    temporary = new TemporaryFolder()
    chmodSync(temporary.path, 0o711)
    const plain = officeDocuments('http://127.0.0.1')['plain.docx'] ?? ''
    site = await httpServer((request, response) => response.end(request.url === '/a.docx' ? plain : '%!PS-Adobe-3.0\n{ } loop\n%%EOF\n'))
  })
  after(async () => {
    await site?.close()
    temporary?.remove()
  })

  it('leaves no process, and after the next start no file and no hold', async () => {
    const env = { TMPDIR: temporary.path, CAPSTAN_PLUGINS: '' }
    const killed = new Served({ env })
    let next: Served | null = null
    try {
      await killed.line('ready', WAIT_MS)
      const { id, key } = await killed.account(100)
      const call = (name: string, from: string): void =>
        void killed
          .send('/v1/files/convert', {
            method: 'POST',
            key,
            body: { file_url: `${site.url}/${name}`, source_format: from, target_format: 'pdf' },
          })
          .catch(() => null)
      call('endless.ps', 'ps')
      call('a.docx', 'docx')
      await until(() => ['gs', 'soffice.bin'].every((program) => below(killed.pid).some(({ name }) => name === program)), WAIT_MS)
      const started = below(killed.pid)
      killed.signal('SIGKILL')
      await killed.ended
      const left = (): Process[] => processes().filter(({ pid, began }) => started.some((each) => each.pid === pid && each.began === began))
      await until(() => left().length === 0, WAIT_MS)
      expect(readdirSync(temporary.path), 'the killed gateway had a folder').to.have.length(1)

      next = new Served({ env, data: killed.data })
      await next.line('ready', WAIT_MS)
      await noCallFiles(temporary.path)
      expect(readdirSync(temporary.path), 'only the folder of the next one').to.have.length(1)
      next.signal('SIGTERM')
      await next.ended

      const later = new HandClock()
      later.jump(Date.now() - later.now() + CALL_MS * 10)
      const last = await startGateway({ folder: killed.data, bundled: true, overrides: { clock: later } })
      try {
        await last.app.services.store.ledger.sweep({ now: later.now(), graceMs: 0, owner: 'test', deadOwners: [] })
        expect(await last.money(id)).to.include({ balance: 100, held: 0 })
      } finally {
        await last.close()
      }
    } finally {
      await next?.end()
      await killed.end()
    }
  })
})
