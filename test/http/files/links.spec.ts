import { expect } from 'chai'
import { readdirSync } from 'node:fs'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { HandClock } from '../../support/outbound.js'
import { expectHeaders, expectProblem } from '../../support/problem.js'

describe('files behind signed links', () => {
  const clock = new HandClock()
  let gateway: TestGateway
  before(async () => {
    clock.advance(1_000)
    gateway = await startGateway({
      overrides: { clock },
      env: { CAPSTAN_ARTIFACTS_QUOTA: '1000000', CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '100000' },
    })
  })
  after(async () => await gateway.close())
  const put = (
    text: string,
    about: { name: string; contentType?: string } = { name: 'report.txt', contentType: 'text/plain' },
    account = 'default',
  ) => gateway.app.services.artifacts.put(account, Buffer.from(text), about)
  const get = (url: string, method = 'GET') => gateway.send(new URL(url).pathname + new URL(url).search, { key: null, method })

  it('a link needs no key and answers the bytes', async () => {
    const { url } = await put('hello')
    const reply = await get(url)
    expect(reply.status).to.equal(200)
    expect(reply.text).to.equal('hello')
    expect(reply.headers['content-length']).to.equal('5')
    expect((await gateway.send(new URL(url).pathname + new URL(url).search, { key: 'cap_wrong' })).status).to.equal(200)
  })

  for (const [name, contentType] of [
    ['page.html', 'text/html'],
    ['image.svg', 'image/svg+xml'],
    ['script.js', 'application/javascript'],
    ['x.bin', 'nonsense'],
  ] as const)
    it(`T-58 ${contentType} is served as an attachment in a sandbox`, async () => {
      const { url } = await put('<script>alert(1)</script>', { name, contentType })
      const reply = await get(url)
      expectHeaders(reply)
      expect(reply.headers['content-disposition'])
        .to.match(/^attachment; filename="/)
        .and.contain(name)
      expect(reply.headers['content-security-policy']).to.contain('sandbox')
      expect(reply.headers['cache-control']).to.equal('no-store')
    })

  it('T-57 every tampering is the same 404', async () => {
    const { url } = await put('secret')
    const other = await put('other')
    const link = new URL(url)
    const signature = link.searchParams.get('signature') ?? ''
    const changed = (change: (at: URL) => void): string => {
      const at = new URL(url)
      change(at)
      return at.href
    }
    const tampered: string[] = [
      ...Array.from(signature, (char, index) =>
        changed((at) =>
          at.searchParams.set('signature', signature.slice(0, index) + (char === 'A' ? 'B' : 'A') + signature.slice(index + 1)),
        ),
      ),
      ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
        .filter((char) => char !== signature.at(-1))
        .map((char) => changed((at) => at.searchParams.set('signature', signature.slice(0, -1) + char))),
      changed((at) => at.searchParams.set('signature', `${signature}=`)),
      changed((at) => at.searchParams.set('signature', `${signature}!`)),
      changed((at) => at.searchParams.set('signature', '')),
      changed((at) => at.searchParams.delete('signature')),
      changed((at) => at.searchParams.delete('expires')),
      changed((at) => at.searchParams.append('signature', signature)),
      changed((at) => at.searchParams.set('expires', String(Number(at.searchParams.get('expires')) + 1))),
      changed((at) => at.searchParams.set('expires', '99999999999')),
      changed((at) => at.searchParams.set('expires', 'x'.repeat(50))),
      changed((at) => (at.pathname = new URL(other.url).pathname)),
      changed((at) => (at.pathname = `/files/${'a'.repeat(22)}/report.txt`)),
      changed((at) => (at.pathname = `/files/${'a'.repeat(100)}/report.txt`)),
    ]
    expect(tampered.length).to.be.above(100)
    const details = new Set<string | undefined>()
    for (const each of tampered) details.add(expectProblem(await get(each), 'not-found').error?.detail)
    expect(details.size).to.equal(1)
    expect((await get(url)).text).to.equal('secret')
  })

  it('T-60 no name or id leaves the folder', async () => {
    const { url } = await put('kept', { name: '../../../etc/passwd' })
    expect(new URL(url).pathname).to.match(/^\/files\/[\w-]+\/passwd$/)
    const { search } = new URL(url)
    for (const path of [
      '/files/../../capstan.db/x',
      '/files/%2e%2e%2fcapstan.db/x',
      '/files/..%5c..%5ccapstan.db/x',
      '/files/%2fetc%2fpasswd/x',
      '/files/./x',
    ])
      expect((await gateway.send(path + search, { key: null })).status, path).to.equal(404)
  })

  it('T-14 names with control, direction and quote characters make no header of their own', async () => {
    for (const name of ['a\r\nX-Evil: 1', '\u202egpj.exe', 'a"; filename="b', 'r\u00e9sum\u00e9 \u4f60.txt', '\u0000', '']) {
      const { url } = await put('x', { name })
      const reply = await get(url)
      expect(reply.status, name).to.equal(200)
      expect(reply.headers).not.to.have.property('x-evil')
      expect(reply.headers['content-disposition']).to.match(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.!#$&+^`|~%-]+$/)
    }
  })

  it('T-59 the quota of an account is kept, each its own, and is free again after expiry', async () => {
    const { id } = await gateway.newAccount(1)
    await put('x'.repeat(900_000), undefined, id)
    let refusal: unknown
    await put('x'.repeat(200_000), undefined, id).catch((error: unknown) => (refusal = error))
    expect(refusal).to.include({ slug: 'overloaded' })
    expect(String(refusal)).to.contain('artifacts_quota')
    clock.advance(3_601_000)
    await gateway.app.services.artifacts.purge()
    await put('x'.repeat(900_000), undefined, id)
  })

  it('T-57 expires after an hour to the second, and is deleted', async () => {
    const { url, expires_at } = await put('short-lived')
    expect(Date.parse(expires_at) - clock.now()).to.be.within(3_599_000, 3_600_000)
    clock.advance(3_598_000)
    expect((await get(url)).status).to.equal(200)
    clock.advance(2_000)
    expectProblem(await get(url), 'not-found')
    expect(await gateway.app.services.artifacts.purge()).to.be.at.least(1)
    expect(await gateway.app.services.store.artifacts.used('default')).to.equal(0)
  })

  it('HEAD, and a reader that goes away, leave no file open', async () => {
    const { url } = await put('x'.repeat(500))
    const open = (): number => readdirSync('/proc/self/fd').length
    await get(url, 'HEAD')
    const before = open()
    for (let round = 0; round < 40; round++) expect((await get(url, 'HEAD')).status).to.equal(200)
    for (let round = 0; open() > before + 10 && round < 200; round++) await new Promise((resolve) => setImmediate(resolve))
    expect(open()).to.be.at.most(before + 10)
  })
})
