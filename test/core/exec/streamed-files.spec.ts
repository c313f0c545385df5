import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Collector } from '../../../core/exec/collect.js'
import { divided, hostView } from '../../../core/exec/external-isolation.js'
import { tarOf } from '../../../core/exec/tar-writer.js'
import { TarReader } from '../../../core/exec/tar.js'
import { needs, openSandbox } from '../../support/exec-sandbox.js'

const FILES = ['a', `${'n'.repeat(99)}`, `${'n'.repeat(100)}`, `${'ä'.repeat(120)}.txt`, '-dash'].map((name, index) => ({
  name,
  data: Buffer.alloc(index * 511 + 1, 'x'),
}))

describe('core/exec files as streams', function () {
  this.timeout(20_000)

  it('writes archives that its own reader and tar read back, with names of every length', async function () {
    needs(this, 'tar')
    const archive = Buffer.concat([...tarOf(FILES)])
    const reader = new TarReader({ maxFiles: 10, maxBytes: 10_000 }, new Map())
    await reader.write(archive)
    await reader.end()
    expect(reader.collected.files).to.eql(FILES)
    const folder = mkdtempSync(join(tmpdir(), 'capstan-tar-'))
    try {
      const { status, stderr } = spawnSync('tar', ['-xomf', '-'], { cwd: folder, input: archive })
      expect([status, stderr.toString()]).to.eql([0, ''])
      expect(readdirSync(folder).sort()).to.eql(FILES.map(({ name }) => name).sort())
      for (const { name, data } of FILES) expect(readFileSync(join(folder, name))).to.eql(data)
      expect((statSync(join(folder, 'a')).mode & 0o777).toString(8)).to.equal('644')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('divides a stream at its mark, wherever the pieces are cut', async () => {
    const whole = 'some MA MAR output MARKrest MARK'
    for (let size = 1; size <= whole.length; size++) {
      const stream = new PassThrough()
      let rest = ''
      const before = text(divided(stream, 'MARK', (chunk) => void (rest += chunk.toString())))
      for (let at = 0; at < whole.length; at += size) stream.write(whole.slice(at, at + size))
      stream.end()
      expect([await before, rest]).to.eql(['some MA MAR output ', 'rest MARK'])
    }
  })

  it('keeps what came before a stream broke, the beginning of a mark with it', async () => {
    const stream = new PassThrough()
    const before = text(divided(stream, 'MARK', () => expect.fail('there was no mark')))
    stream.write('output MA')
    await new Promise((resolve) => setImmediate(resolve))
    stream.destroy(new Error('broken pipe'))
    expect(await before).to.equal('output MA')
  })

  it('T-47 believes no head but a code, and reads no more than a folder holds', async () => {
    const events: string[] = []
    const on = { code: () => void events.push('code'), over: () => void events.push('over') }
    const collect = { maxFiles: 10, maxBytes: 10_000 }
    for (const head of ['\n', 'E\n', 'Ex\n', 'E1234\n', 'no code at all']) {
      const collector = new Collector({ collect }, 1, on)
      await collector.write(Buffer.from(head))
      await collector.write(Buffer.concat([...tarOf(FILES)]))
      expect([collector.code, (await collector.collected()).files], head).to.eql([null, []])
    }
    expect(events).to.eql([])
    const holes = new Collector({ collect }, 1, on)
    await holes.write(Buffer.from('E'))
    await holes.write(Buffer.from('7\n'))
    for (let sent = 0; sent < 70; sent++) await holes.write(Buffer.alloc(1024 * 1024))
    expect([holes.code, (await holes.collected()).filesLeft, events]).to.eql([7, 1, ['code', 'over']])
  })

  it('says of a tool that ends by itself that no end inside was seen, and keeps its code and words', async function () {
    needs(this, 'sh')
    const box = await openSandbox()
    try {
      const result = await box.run('sh', ['-c', 'echo out; echo "docker: no daemon" >&2; exit 125'], {
        isolation: 'external',
        files: FILES.slice(0, 1),
        collect: { maxFiles: 1, maxBytes: 1 },
      })
      expect(result).to.deep.include({ code: 125, out: 'out\n', err: 'docker: no daemon\n', endSeen: false, files: [], filesLeft: 0 })
    } finally {
      await box.close()
    }
  })

  it('T-44 a tool gets the same paths as bwrap, those of a link too, and no hidden one', function () {
    needs(this, 'sh')
    const { program, places } = hostView(
      { programs: () => undefined, protectedPaths: ['/usr/bin/sh'], coveredFolders: ['/usr/share'] },
      'sh',
    )
    expect(program).to.equal('/usr/bin/sh')
    const at = new Map(places.map((place) => [place.at, place.shows]))
    expect(at.get('/usr')).to.equal('host')
    expect(at.get('/usr/share')).to.equal('empty-folder')
    expect([...at.keys()].filter((path) => /^\/(home|root|var|etc)$/.test(path))).to.eql([])
    const hidden = places.filter(({ shows }) => shows === 'empty-file').map((place) => place.at)
    expect(hidden.map((path) => path.replace(/\/[^/]*$/, '')).sort()).to.eql(['/bin', '/usr/bin'])
  })
})
