import { expect } from 'chai'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdminSocket } from '../../../core/http/listeners.js'
import { httpServer } from '../../../core/http/server.js'
import { ownerSocketPath } from '../../../core/runtime/sockets.js'
import { skip } from '../../support/needs.js'
import { OpenApiChecker } from '../../support/openapi.js'
import { startBeside, type Beside } from '../../support/beside.js'

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

/** One request over the socket of a folder. */
function sendTo(folder: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const { path: socketPath, close } = ownerSocketPath(folder)
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, agent: false, headers: { 'content-type': 'application/json' } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
    })
    sent.on('error', reject).on('close', close)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

describe('the socket in the data folder', () => {
  const about = { publicUrl: () => 'http://localhost', log: (...line: unknown[]) => void warnings.push(line), addressLimit: 600 }
  const warnings: unknown[] = []
  const open = (folder: string, text: string) =>
    openAdminSocket(
      folder,
      httpServer((_request, response) => void response.end(text), about),
      (...line) => void warnings.push(line),
    )
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-socket-'))
    warnings.splice(0)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const file = () => join(folder, 'admin.sock')

  it("is its owner's alone, and deleted at the end", async () => {
    const mask = process.umask(0)
    try {
      const socket = await open(folder, 'here')
      expect(lstatSync(file()).isSocket()).to.equal(true)
      expect(lstatSync(file()).mode & 0o777).to.equal(0o600)
      expect(await sendTo(folder, 'GET', '/')).to.include({ status: 200, text: 'here' })
      socket?.close()
      expect(readdirSync(folder)).to.deep.equal([])
      expect(process.umask()).to.equal(0)
    } finally {
      process.umask(mask)
    }
  })

  it('is taken over from a gateway that was killed', async () => {
    const dead = createServer()
    await new Promise<void>((resolve) => dead.listen(join(folder, 'other'), resolve))
    renameSync(join(folder, 'other'), file())
    await new Promise((resolve) => dead.close(resolve))
    const socket = await open(folder, 'new')
    expect((await sendTo(folder, 'GET', '/')).text).to.equal('new')
    socket?.close()
  })

  it('stays with the gateway that has it: another one serves without, and leaves it alone', async () => {
    const first = await open(folder, 'first')
    expect(await open(folder, 'second')).to.equal(null)
    expect(JSON.stringify(warnings)).to.contain('admin-socket-failed').and.to.contain('another gateway listens at')
    expect((await sendTo(folder, 'GET', '/')).text).to.equal('first')
    first?.close()
  })

  it('that another gateway has taken meanwhile is not deleted', async () => {
    const first = await open(folder, 'first')
    renameSync(file(), join(folder, 'moved'))
    const second = await open(folder, 'second')
    first?.close()
    expect((await sendTo(folder, 'GET', '/')).text).to.equal('second')
    second?.close()
    expect(existsSync(file())).to.equal(false)
  })

  it('does not replace what is no socket', async () => {
    writeFileSync(file(), 'mine')
    expect(await open(folder, 'x')).to.equal(null)
    expect(JSON.stringify(warnings)).to.contain('exists and is not a socket: remove it')
    expect(lstatSync(file()).isFile()).to.equal(true)
  })

  it('says in the log that the folder cannot be written', async () => {
    expect(await open(join(folder, 'nowhere'), 'x')).to.equal(null)
    expect(JSON.stringify(warnings)).to.contain('the admin socket could not be opened').and.to.contain('nowhere')
  })

  it('is reached in a folder whose path is longer than a socket may have', async function () {
    if (process.platform !== 'linux') skip(this, 'only Linux has what this test reads')
    const long = join(folder, 'a'.repeat(90), 'b'.repeat(90))
    mkdirSync(long, { recursive: true })
    const socket = await open(long, 'far')
    expect(warnings).to.deep.equal([])
    expect(lstatSync(join(long, 'admin.sock')).mode & 0o777).to.equal(0o600)
    expect((await sendTo(long, 'GET', '/')).text).to.equal('far')
    socket?.close()
    expect(readdirSync(long)).to.deep.equal([])
  })
})

describe('the admin API over the socket', function () {
  this.timeout(60_000)
  let beside: Beside
  before(async () => {
    beside = await startBeside({ env: { CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '1', CAPSTAN_LIMIT_FAILED_LOGINS: '1' } })
  })
  after(async () => await beside?.close())
  const send = (method: string, path: string, body?: unknown) => sendTo(beside.gateway.folder, method, path, body)

  it('needs no token, and has neither the limit of addresses nor that of failed logins', async () => {
    for (let count = 0; count < 5; count++) expect((await send('GET', '/admin/v1/accounts')).status).to.equal(200)
    const { text } = await send('POST', '/admin/v1/accounts', { name: 'Ada Example', credits: 3 })
    expect(text).to.contain('"balance":3')
  })

  it('answers every route as the documents say, and refuses as elsewhere', async () => {
    const checker = await OpenApiChecker.of(beside.gateway)
    for (const path of ['/admin/v1/diagnosis', '/admin/v1/providers', '/admin/v1/accounts', '/admin/v1/usage']) {
      const answer = await send('GET', path)
      expect(answer.status, answer.text).to.equal(200)
      const reply = { ...answer, trailers: {}, json: <T>() => JSON.parse(answer.text) as T }
      expect(checker.faults('GET', path, reply)).to.deep.equal([])
    }
    expect((await send('POST', '/admin/v1/accounts', { name: '' })).status).to.equal(422)
    expect((await send('GET', '/admin/v1/nothing')).status).to.equal(404)
    expect((await send('PUT', '/admin/v1/accounts')).status).to.equal(405)
  })

  it('has probes and metrics beside it, and nothing for callers', async () => {
    expect((await send('GET', '/readyz')).text).to.contain('"ready"')
    expect((await send('GET', '/metrics')).text).to.contain('capstan_')
    expect((await send('GET', '/v1/account')).status).to.equal(404)
    expect((await send('POST', '/v1/test/echo', { text: 'hi' })).status).to.equal(404)
  })
})
