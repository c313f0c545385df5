import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ProxySockets } from '../../../core/lifecycle/proxy-sockets.js'
import type { GuardProxy } from '../../../core/outbound/types.js'
import { outboundKit, type OutboundKit } from '../../support/outbound.js'
import { errorOf } from '../../support/unit.js'
import { skip } from '../../support/needs.js'

const OWNER = 64_321
const NEIGHBOUR = 64_322
const CONNECT = "require('net').connect(process.argv[1]).on('connect', () => process.exit(0)).on('error', () => process.exit(7))"

describe('core/proxy-sockets', () => {
  const usual = tmpdir()
  let folder: string
  let kit: OutboundKit
  let sockets: ProxySockets
  beforeEach(async () => {
    folder = await mkdtemp(join(usual, 'capstan-sockets-'))
    kit = outboundKit()
    sockets = new ProxySockets(kit.proxy)
  })
  afterEach(async () => {
    process.env['TMPDIR'] = usual
    await sockets.close()
    await kit.close()
    await rm(folder, { recursive: true, force: true })
  })

  const reachedBy = (uid: number, path: string): boolean =>
    spawnSync(process.execPath, ['-e', CONNECT, path], { uid, gid: uid, stdio: 'inherit' }).status === 0
  const failing = (failures: number): GuardProxy => ({
    listenOnSocket: (path) => (failures-- > 0 ? Promise.reject(new Error('once')) : kit.proxy.listenOnSocket(path)),
    close: () => Promise.resolve(),
  })

  it('T-46 the guard proxy is reached by the user whose socket it is, and by no other of this machine', async function () {
    if (process.geteuid?.() !== 0) skip(this, 'only root can do what this test does')
    const path = await sockets.pathFor(OWNER)
    expect(await sockets.pathFor(OWNER)).to.equal(path)
    expect(await sockets.pathFor(NEIGHBOUR)).to.not.equal(path)
    expect(reachedBy(OWNER, path)).to.equal(true)
    expect(reachedBy(NEIGHBOUR, path)).to.equal(false)
  })

  it("the gateway's own user has a folder of his own too", async () => {
    expect((await stat(dirname(await sockets.pathFor(null)))).mode & 0o777).to.equal(0o700)
  })

  it('is tried again after a failure', async () => {
    sockets = new ProxySockets(failing(1))
    expect((await errorOf(sockets.pathFor(null))).message).to.equal('once')
    expect(await sockets.pathFor(null)).to.be.a('string')
  })

  it('leaves no folder behind, neither of one that is closed nor of one that could not be opened', async () => {
    process.env['TMPDIR'] = folder
    sockets = new ProxySockets(failing(1))
    await errorOf(sockets.pathFor(null))
    expect(await readdir(folder)).to.deep.equal([])
    const path = await sockets.pathFor(null)
    expect(existsSync(path)).to.equal(true)
    await sockets.close()
    expect(await readdir(folder)).to.deep.equal([])
  })
})
