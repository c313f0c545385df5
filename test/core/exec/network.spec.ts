import { expect } from 'chai'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { faultOf, needs, openSandbox } from '../../support/exec-sandbox.js'
import type { TestSandbox } from '../../support/exec-sandbox.js'

describe('core/exec network', function () {
  this.timeout(20_000)
  let box: TestSandbox
  let folder: string
  let proxy: Server
  let direct: Server
  const requested: string[] = []
  let visits = 0
  let port = 0

  before(async function () {
    needs(this, 'bwrap', 'python3')
    folder = await mkdtemp(join(tmpdir(), 'capstan-proxy-'))
    await chmod(folder, 0o755)
    proxy = createServer((request, response) => {
      requested.push(request.url ?? '')
      response.end(`proxied ${request.headers.host}`)
    })
    proxy.on('connect', (request, socket) => {
      requested.push(`CONNECT ${request.url}`)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    proxy.listen(join(folder, 'proxy.sock'))
    direct = createServer((_, response) => {
      visits += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => direct.once('listening', resolve))
    const address = direct.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
    box = await openSandbox({ proxySocket: () => Promise.resolve(join(folder, 'proxy.sock')) })
  })

  after(async () => {
    proxy?.close()
    direct?.close()
    await box?.close()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  it('T-46 reaches the guard proxy by the usual variables when the network was requested', async () => {
    const code = `import urllib.request; print(urllib.request.urlopen("http://example.com/path").read().decode())`
    const result = await box.run('python3', ['-c', code], { network: true, collect: { maxFiles: 1, maxBytes: 1 } })
    expect(result).to.deep.include({ out: 'proxied example.com\n', code: 0 })
    expect(requested).to.include('http://example.com/path')
    const secure = await box.run('python3', ['-c', code.replace('http:', 'https:')], { network: true })
    expect(secure.err).to.include('403')
    expect(requested).to.include('CONNECT example.com:443')
  })

  it('T-46 reaches nothing else with it', async () => {
    const code = `
import socket, urllib.request
for address in [("127.0.0.1", ${port}), ("1.1.1.1", 80), ("169.254.169.254", 80)]:
    try:
        socket.create_connection(address, 1)
        print("CONNECTED", address)
    except OSError: pass
try: urllib.request.build_opener(urllib.request.ProxyHandler({})).open("http://127.0.0.1:${port}", timeout=1); print("DIRECT")
except OSError: pass
print("done")`
    expect((await box.run('python3', ['-c', code], { network: true })).out).to.equal('done\n')
    expect(visits).to.equal(0)
  })

  it('T-46 has no proxy without a request', async () => {
    const code =
      'import os, socket; print([name for name in os.environ if "proxy" in name.lower()])\ntry: socket.create_connection(("127.0.0.1", 3128), 1); print("CONNECTED")\nexcept OSError: pass'
    expect((await box.run('python3', ['-c', code])).out).to.equal('[]\n')
  })

  it('fails, and does not run, when the proxy cannot be had', async () => {
    const own = await openSandbox({ proxySocket: () => Promise.resolve(join(folder, 'no.sock')) })
    expect((await faultOf(own.run('python3', ['-c', 'print(1)'], { network: true }))).kind).to.equal('broken')
    await own.close()
  })
})
