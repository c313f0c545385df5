import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sinon from 'sinon'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { expectProblem } from '../../support/problem.js'
import { raw } from '../../support/raw.js'
import { Served } from '../../support/served.js'
import { END, form, part, partHead, storedFiles, Upload, upload, uploadedFile } from '../../support/upload.js'
import { until } from '../../support/time.js'

const MIB = 1024 * 1024

describe('an upload that breaks off', () => {
  const clock = new HandClock()
  let gateway: TestGateway
  before(async () => (gateway = await startGateway({ overrides: { clock } })))
  after(async () => await gateway.close())
  const used = () => gateway.app.services.store.artifacts.used('default')
  const running = () => gateway.app.services.uploads.running
  /** An upload of which some MiB lie in the store. */
  const halfway = async (): Promise<Upload> => {
    const sent = new Upload(gateway)
    await sent.write(partHead())
    for (let pieces = 0; pieces < 4; pieces++) await sent.write(Buffer.alloc(MIB, pieces))
    await until(async () => storedFiles(gateway.folder).length === 1 && (await used()) > 0)
    return sent
  }
  const nothingLeft = async (): Promise<void> => {
    await until(async () => running() === 0 && storedFiles(gateway.folder).length === 0 && (await used()) === 0)
  }

  it('because its caller leaves, leaves nothing on the disk and nothing in the quota', async () => {
    const sent = await halfway()
    sent.leave()
    await nothingLeft()
  })

  it('before a byte of its file, and before its headers were answered, likewise', async () => {
    for (const beginning of ['', '--', partHead()]) {
      const sent = new Upload(gateway)
      if (beginning !== '') await sent.write(beginning)
      await until(() => running() === 1)
      sent.leave()
      await nothingLeft()
    }
  })

  it('behind its last byte, before the answer, likewise', async () => {
    const { artifacts } = gateway.app.services
    let stored = 0
    let answer: () => void = () => undefined
    const left = new Promise<void>((resolve) => (answer = resolve))
    const put = artifacts.put.bind(artifacts)
    const stub = sinon.stub(artifacts, 'put').callsFake(async (...parts) => {
      const file = await put(...parts)
      stored++
      await left
      return file
    })
    const connection = once(gateway.server, 'connection') as Promise<[Socket]>
    const sent = new Upload(gateway)
    const [socket] = await connection
    sent.end(form(part('x'.repeat(1000))))
    await until(() => stored === 1)
    expect(storedFiles(gateway.folder)).to.have.lengthOf(1)
    const closed = once(socket, 'close')
    sent.leave()
    await closed
    answer()
    await nothingLeft()
    stub.restore()
  })

  it('because of bytes after its file, likewise', async () => {
    const sent = await halfway()
    sent.end(`\r\n${part('second').toString()}${END}`)
    expectProblem(await sent.reply, 'validation-failed')
    await nothingLeft()
  })

  it('behind the end of its file, when all its bytes have long come, likewise', async () => {
    const sent = await halfway()
    await sent.write(`\r\n${part('second').subarray(0, 30).toString()}`)
    // A store that did not wait for the form would be done with the file long before others of its size have come and gone.
    for (let count = 0; count < 3; count++) {
      const { file_url } = uploadedFile(await upload(gateway, form(part(Buffer.alloc(4 * MIB)))))
      await gateway.app.services.artifacts.discard(new URL(file_url).pathname.split('/')[2] ?? '')
    }
    expect(storedFiles(gateway.folder)).to.have.lengthOf(1)
    expect(storedFiles(gateway.folder)[0]).to.match(/\.partial$/)
    sent.end(`${part('second').subarray(30).toString()}${END}`)
    expectProblem(await sent.reply, 'validation-failed')
    await nothingLeft()
  })

  it('because its form has no end, likewise', async () => {
    const sent = await halfway()
    sent.end()
    expectProblem(await sent.reply, 'malformed-request')
    await nothingLeft()
  })

  describe('for want of bytes', () => {
    /** An upload, and its connection as the gateway sees it. `write` resolves when the form's parser, which listens first, has the bytes. */
    const seen = async (): Promise<{ sent: Upload; socket: Socket; write: (bytes: string) => Promise<void> }> => {
      const arrival = once(gateway.server, 'request') as Promise<[IncomingMessage]>
      const sent = new Upload(gateway)
      const [request] = await arrival
      await until(() => running() === 1 && request.listenerCount('data') > 0)
      let read = 0
      request.on('data', (bytes: Buffer) => (read += bytes.length))
      const write = async (bytes: string): Promise<void> => {
        const before = read
        await sent.write(bytes)
        await until(() => read === before + bytes.length)
      }
      return { sent, socket: request.socket, write }
    }

    it('is given up after 30 seconds without one', async () => {
      const { sent, write } = await seen()
      await write(partHead())
      clock.advance(29_000)
      await write('x')
      clock.advance(29_000)
      expect(running()).to.equal(1)
      clock.advance(1_001)
      expect(expectProblem(await sent.reply, 'malformed-request').error?.detail).to.contain('30 seconds')
      await nothingLeft()
    })

    it('also when not one has come', async () => {
      const { sent } = await seen()
      clock.advance(30_001)
      expectProblem(await sent.reply, 'malformed-request')
    })

    it('but not for its whole time: a slow caller takes as long as it takes', async () => {
      const { sent, socket, write } = await seen()
      // What follows the last mark of the form may be left unread by a gateway that answers at it.
      for (const byte of partHead() + 'slow\r\n' + END.trimEnd()) {
        await write(byte)
        clock.advance(25_000)
      }
      // What Node says after 120 seconds.
      gateway.server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
      sent.end('\r\n')
      expect(uploadedFile(await sent.reply).file_size).to.equal(4)
      clock.advance(3_700_000)
      await gateway.app.services.artifacts.purge()
      await nothingLeft()
    })

    it('and a body of another route has its time as before', async () => {
      const connection = once(gateway.server, 'connection') as Promise<[Socket]>
      const reply = raw(gateway.url, 'POST /v1/keys HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\nauthorization: Bearer x\r\n\r\n{')
      const [socket] = await connection
      await once(gateway.server, 'request')
      gateway.server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
      expect((await reply).statuses[0]).to.be.oneOf([400, 401])
      expect((await reply).closed).to.equal(true)
    })
  })

  it('refused, it is passed over for five seconds, and then its connection ends', async () => {
    const connection = once(gateway.server, 'connection') as Promise<[Socket]>
    const sent = new Upload(gateway, { key: null })
    const [socket] = await connection
    expectProblem(await sent.reply, 'authentication-required')
    await sent.write(Buffer.alloc(2 * MIB))
    expect(socket.destroyed).to.equal(false)
    clock.advance(5_001)
    expect(socket.destroyed).to.equal(true)
    sent.leave()
  })

  describe('by a gateway that stops', () => {
    it('goes on while it drains, when new ones are refused', async () => {
      const stopping = await startGateway()
      const sent = new Upload(stopping)
      await sent.write(partHead() + 'before ')
      await until(() => stopping.app.services.uploads.running === 1)
      stopping.app.drain()
      expectProblem(await upload(stopping, form(part('x'))), 'overloaded')
      sent.end(`after\r\n${END}`)
      expect(uploadedFile(await sent.reply).file_size).to.equal(12)
      await stopping.close()
    })

    it('is answered 503 when calls are cut, and nothing of it stays', async () => {
      const sent = await halfway()
      gateway.app.services.uploads.cut()
      expectProblem(await sent.reply, 'overloaded')
      await nothingLeft()
    })

    it('is over before its store is closed', async () => {
      const stopping = await startGateway({ folder: mkdtempSync(join(tmpdir(), 'capstan-upload-')) })
      const sent = new Upload(stopping)
      await sent.write(partHead())
      await sent.write(Buffer.alloc(MIB))
      await until(() => storedFiles(stopping.folder).length === 1)
      await stopping.app.close()
      expect(storedFiles(stopping.folder)).to.deep.equal([])
      sent.leave()
      const again = await startGateway({ folder: stopping.folder })
      expect(await again.app.services.store.artifacts.used('default')).to.equal(0)
      await again.close()
      stopping.server.close()
      rmSync(stopping.folder, { recursive: true })
    })
  })

  it('with its gateway, which is killed: the next one deletes the bytes and gives the room back when the file would have expired', async function () {
    this.timeout(60_000)
    const served = new Served()
    const { url } = await served.line('ready')
    const { key } = await served.account(10)
    const sent = new Upload({ url, key })
    await sent.write(partHead())
    await sent.write(Buffer.alloc(9 * MIB))
    await until(() => storedFiles(served.data).length === 1)
    served.signal('SIGKILL')
    await served.ended
    sent.leave()
    const later = new HandClock()
    later.jump(Date.now() - later.now() + 7_200_000)
    const next = await startGateway({ folder: served.data, overrides: { clock: later } })
    expect(storedFiles(served.data)).to.have.lengthOf(1)
    expect(await next.app.services.artifacts.purge()).to.equal(1)
    expect(storedFiles(served.data)).to.deep.equal([])
    await next.close()
    await served.end()
  })
})
