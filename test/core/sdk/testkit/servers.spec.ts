import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { packageRoot } from '../../../../core/runtime/root.js'
import {
  httpsServer,
  issued,
  mailServer,
  memoryObjects,
  PollingVendor,
  rdapServer,
  S3TestServer,
  whoisServer,
  zoneServer,
  type ServerFault,
} from '../../../../core/sdk/testkit/index.js'
import { index } from '../../../support/loader-texts.js'
import { load, PluginFolder } from '../../../support/loader.js'
import { cancelIn, outboundKit } from '../../../support/outbound.js'
import { needsProgram, skip } from '../../../support/needs.js'
import { until } from '../../../support/time.js'

/** Everything that comes until the connection ends, after the lines were sent, one for each reply. */
function spoken(port: number, ...lines: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const left = [...lines]
    let all = ''
    const socket: Socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk: Buffer) => {
      all += chunk.toString('latin1')
      const next = /(?:^|\n)\d{3} [^\n]*\r\n$/.test(all) ? left.shift() : undefined
      if (next !== undefined) socket.write(`${next}\r\n`)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(all))
  })
}

function whoisAnswer(port: number, query: string): Promise<string> {
  return new Promise((resolve) => {
    let all = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`${query}\r\n`))
    socket.on('data', (chunk: Buffer) => void (all += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(all))
  })
}

describe('testkit', () => {
  it('no file of the gateway or of a plugin imports it, but those that resolve its name for guests', () => {
    const root = packageRoot()
    const files = ['core', 'plugins', 'config'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
    )
    const importing = files
      .filter((entry) => entry.isFile() && /(?<!\.spec|\.d)\.[cm]?[jt]s$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !relative(root, file).startsWith(join('core', 'sdk', 'testkit')))
      .filter((file) => /(?:from|import\(?)\s*['"][^'"]*testkit/.test(readFileSync(file, 'utf8')))
    expect(importing).to.deep.equal([])
  })

  it('is there for tests under its name, and for what a plugin in JavaScript imports', async () => {
    const name = 'capstan/sdk/testkit'
    expect(await import(name)).to.include.keys(
      'zoneServer',
      'whoisServer',
      'rdapServer',
      'mailServer',
      'httpsServer',
      'S3TestServer',
      'PollingVendor',
    )
    const folder = await PluginFolder.make()
    await folder.write('guest', { 'index.mjs': index('guest', '', 'capstan/sdk'), 'contract.mjs': `export { zoneServer } from '${name}'` })
    const { plugins } = await load({ thirdParty: [folder.path] })
    expect(plugins.filter((plugin) => plugin.name === 'guest').map(({ reason }) => reason)).to.deep.equal([null])
    await folder.remove()
  })

  it('a name server of records: types, aliases, unknown names, silence, truncation and the AD bit', async () => {
    const server = await zoneServer(
      {
        'a.example': { A: ['192.0.2.1'], MX: [{ preference: 10, exchange: 'mx.example' }], TXT: ['v=spf1 -all'] },
        'b.example': { CNAME: ['a.example'] },
        'x.sub.example': { A: ['192.0.2.2'] },
      },
      { ad: true, truncated: ['a.example'], delays: { 'b.example': 20 } },
    )
    const kit = outboundKit({ dns: server.address })
    const query = async (name: string, type: 'A' | 'MX') => await kit.net.query(name, type, cancelIn())
    expect((await query('a.example', 'MX')).records[0]?.data).to.deep.equal({ preference: 10, exchange: 'mx.example' })
    expect(await query('b.example', 'A')).to.deep.include({ aliases: ['a.example'], authenticated: true })
    expect([(await query('sub.example', 'A')).status, (await query('none.example', 'A')).status]).to.deep.equal(['NOERROR', 'NXDOMAIN'])
    expect(server.queries.filter(({ by }) => by === 'tcp').map(({ name }) => name)).to.deep.equal(['a.example'])
    await kit.close()
    await server.close()
  })

  it('a mail server: mailboxes, greylisting, blocklists, a catch-all, and no mail', async () => {
    const server = await mailServer({
      mailboxes: { 'ada@a.example': 'exists', 'full@a.example': 'full', 'odd@a.example': '421 4.3.2 Closing' },
      tarpitMs: 5,
    })
    const rcpt = (name: string): string => `RCPT TO:<${name}@a.example>`
    const said = await spoken(server.port, 'EHLO x', 'MAIL FROM:<>', rcpt('Ada'), rcpt('full'), rcpt('odd'), rcpt('none'), 'DATA', 'QUIT')
    expect(said.match(/^\d{3} \S+/gm)).to.deep.equal([
      '220 mx.example',
      '250 SIZE',
      '250 2.1.0',
      '250 2.1.5',
      '452 4.2.2',
      '421 4.3.2',
      '550 5.1.1',
      '554 5.5.1',
      '221 2.0.0',
    ])
    expect(server.lines).to.include('DATA')
    await server.close()
    const grey = await mailServer({ catchAll: true, greylisting: true })
    expect((await spoken(grey.port, 'MAIL FROM:<>', rcpt('any'), rcpt('any'), 'QUIT')).match(/^\d{3}/gm)).to.deep.equal([
      '220',
      '250',
      '451',
      '250',
      '221',
    ])
    await grey.close()
    for (const [blocklisted, codes] of [
      ['mail', ['220', '550', '221']],
      ['greeting', ['554', '550', '221']],
    ] as const) {
      const listed = await mailServer({ blocklisted })
      const codesSaid = (await spoken(listed.port, 'MAIL FROM:<>', 'QUIT')).match(/^\d{3}/gm)
      expect(codesSaid?.[0]).to.equal(codes[0])
      if (blocklisted === 'mail') expect(codesSaid).to.deep.equal(codes)
      await listed.close()
    }
  })

  it('a mail server with STARTTLS shows its own certificate', async function () {
    const pair = issued({ names: ['mx.example'] })
    if (pair === null) skip(this, 'openssl is not installed')
    const server = await mailServer({ tls: pair })
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    const lines = await kit.net.connect('127.0.0.1', server.port, {}, cancelIn())
    await lines.readLine()
    await lines.write('STARTTLS')
    await lines.readLine()
    expect((await lines.startTls()).names).to.deep.equal(['mx.example'])
    await lines.write('QUIT')
    expect(await lines.readLine()).to.equal('221 2.0.0 Bye')
    expect(server.lines).to.deep.equal(['STARTTLS', 'tls:QUIT'])
    await kit.close()
    await server.close()
  })

  it('a WHOIS server fails as scripted', async () => {
    const server = await whoisServer({ a: 'answer' })
    const got: Partial<Record<ServerFault | 'none', string>> = { none: await whoisAnswer(server.port, 'a') }
    for (const fault of ['slow', 'drip', 'garbage', 'cut'] as const) {
      server.fail(fault)
      got[fault] = await whoisAnswer(server.port, 'a')
    }
    expect(got).to.deep.include({ none: 'answer', slow: 'answer', drip: 'answer', cut: 'ans' })
    expect(got.garbage).to.not.contain('answer')
    server.failAlways('hang')
    const hanging = whoisAnswer(server.port, 'a')
    await until(() => server.lines.length >= 6)
    expect(server.open()).to.equal(1)
    await server.close()
    expect(await hanging).to.equal('')
  })

  it('an RDAP server: its list, an answer, an unknown name, and failures over HTTP', async () => {
    const server = await rdapServer({ domains: { 'acme.test': { json: { ldhName: 'acme.test' } } } })
    expect(await (await fetch(server.bootstrap)).json()).to.deep.include({ services: [[['test'], [server.base]]] })
    expect(await (await fetch(`${server.base}domain/acme.test`)).json()).to.deep.equal({ ldhName: 'acme.test' })
    expect((await fetch(`${server.base}domain/none.test`)).status).to.equal(404)
    for (const fault of ['slow', 'drip'] as const) {
      server.fail(fault)
      expect((await (await fetch(`${server.base}domain/acme.test`)).text()).length).to.equal(23)
    }
    for (const fault of ['garbage', 'cut'] as const) {
      server.fail(fault)
      expect(
        await fetch(`${server.base}domain/acme.test`)
          .then((reply) => reply.text())
          .catch((error: unknown) => error),
      ).to.be.instanceOf(Error)
    }
    await server.close()
  })

  it('an HTTPS server is trusted by its own root alone', async function () {
    needsProgram(this, 'openssl')
    const server = await httpsServer((_request, response) => response.end('hello'), { names: ['own.example'] })
    const get = (ca?: string) =>
      new Promise<string>((resolve) => {
        const sending = request(
          { host: '127.0.0.1', port: server.port, servername: 'own.example', ...(ca === undefined ? {} : { ca }) },
          (reply) => reply.on('data', (chunk: Buffer) => resolve(chunk.toString())),
        )
        sending.on('error', () => resolve('refused')).end()
      })
    expect([await get(server.ca), await get()]).to.deep.equal(['hello', 'refused'])
    await server.close()
  })

  it('an S3-compatible store keeps objects, and refuses whose signature is wrong', async () => {
    const account = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret', sessionToken: null, region: 'eu-test-1' }
    const server = await new S3TestServer({ bucket: 'files', account }).start()
    const signed = (secretAccessKey: string) => {
      const client = new AwsClient({ ...account, sessionToken: '', secretAccessKey, service: 's3', retries: 0 })
      return async (method: string, { body = '', ...headers }: Record<string, string> = {}) =>
        await client.fetch(`${server.url}/files/a%20b.txt`, {
          method,
          headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
          ...(body === '' ? {} : { body }),
        })
    }
    const good = signed(account.secretAccessKey)
    expect((await good('PUT', { body: 'hello', 'content-type': 'text/plain' })).status).to.equal(200)
    const got = await good('GET')
    expect([await got.text(), got.headers.get('content-type'), got.headers.get('content-length')]).to.deep.equal([
      'hello',
      'text/plain',
      '5',
    ])
    const part = await good('GET', { range: 'bytes=1-2' })
    expect([part.status, await part.text(), part.headers.get('content-range')]).to.deep.equal([206, 'el', 'bytes 1-2/5'])
    expect(await server.keys()).to.deep.equal(['a b.txt'])
    expect((await signed('another')('GET')).status).to.equal(403)
    expect((await fetch(`${server.url}/files/a%20b.txt`)).status).to.equal(403)
    expect([(await good('DELETE')).status, (await good('GET')).status]).to.deep.equal([204, 404])
    await server.close()
  })

  it('objects in memory are listed in pages', async () => {
    const objects = memoryObjects('files')
    const send = async (method: string, target: string) =>
      Buffer.from((await objects({ method, target, headers: {}, body: Buffer.from('x') })).bytes).toString()
    for (const name of ['a', 'b', 'c']) await send('PUT', `/files/${name}`)
    const first = await send('GET', '/files?max-keys=2')
    expect(first).to.contain('<Key>b</Key>').and.contain('<IsTruncated>true').and.contain('<NextContinuationToken>b<')
    expect(await send('GET', '/files?continuation-token=b'))
      .to.contain('<Key>c</Key>')
      .and.contain('<IsTruncated>false')
    expect(await send('GET', '/other/a')).to.contain('NoSuchBucket')
  })

  it('a vendor of jobs: its replies in order, its result, and the request to end the job', async () => {
    const vendor = await PollingVendor.start({ json: { status: 'running' } }, { json: { status: 'done' } })
    const json = async (path: string, method = 'GET'): Promise<unknown> => await (await fetch(`${vendor.url}${path}`, { method })).json()
    expect(await json('/jobs', 'POST')).to.deep.equal({ id: 'j1' })
    expect([await json('/jobs/j1'), await json('/jobs/j1'), await json('/jobs/j1')].map((state) => JSON.stringify(state))).to.deep.equal(
      ['running', 'done', 'done'].map((status) => JSON.stringify({ status })),
    )
    expect(await (await fetch(vendor.resultUrl)).text()).to.equal('made')
    expect([vendor.cancelled, vendor.fetched]).to.deep.equal([false, 1])
    await json('/jobs/j1', 'DELETE')
    expect(vendor.cancelled).to.equal(true)
    await vendor.close()
  })
})
