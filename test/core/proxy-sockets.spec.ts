import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { proxySockets } from '../../core/proxy-sockets.js'
import { outboundKit, type OutboundKit } from '../support/outbound.js'
import { errorOf } from '../support/unit.js'
import { skip } from '../support/needs.js'

const OWNER = 64_321
const NEIGHBOUR = 64_322
const CONNECT = "require('net').connect(process.argv[1]).on('connect', () => process.exit(0)).on('error', () => process.exit(7))"

describe('core/proxy-sockets', () => {
  let kit: OutboundKit
  beforeEach(() => {
    kit = outboundKit()
  })
  afterEach(() => kit.close())

  const reachedBy = (uid: number, path: string): boolean =>
    spawnSync(process.execPath, ['-e', CONNECT, path], { uid, gid: uid, stdio: 'inherit' }).status === 0

  it('T-46 the guard proxy is reached by the user whose socket it is, and by no other of this machine', async function () {
    if (process.geteuid?.() !== 0) skip(this, 'only root can do what this test does')
    const socketOf = proxySockets(kit.proxy)
    const path = await socketOf(OWNER)
    expect(await socketOf(OWNER)).to.equal(path)
    expect(await socketOf(NEIGHBOUR)).to.not.equal(path)
    expect(reachedBy(OWNER, path)).to.equal(true)
    expect(reachedBy(NEIGHBOUR, path)).to.equal(false)
  })

  it("the gateway's own user has a folder of his own too", async () => {
    const path = await proxySockets(kit.proxy)(null)
    expect((await stat(dirname(path))).mode & 0o777).to.equal(0o700)
  })

  it('is asked again after a failure', async () => {
    const socketOf = proxySockets({
      listenOnSocket: (path) => (tries++ === 0 ? Promise.reject(new Error('once')) : kit.proxy.listenOnSocket(path)),
      close: () => Promise.resolve(),
    })
    let tries = 0
    expect((await errorOf(socketOf(null))).message).to.equal('once')
    expect(await socketOf(null)).to.be.a('string')
  })
})
