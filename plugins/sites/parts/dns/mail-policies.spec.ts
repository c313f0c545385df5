import { expect } from 'chai'
import { hostMatches, parsePolicy } from './mta-sts.js'
import { dnsProvider } from './dns-provider.js'

describe('MTA-STS (RFC 8461)', () => {
  it('the policy of the RFC', () => {
    const text =
      'version: STSv1\r\nmode: enforce\r\nmx: mail.example.com\r\nmx: *.example.net\r\nmx: backupmx.example.com\r\nmax_age: 604800\r\n'
    expect(parsePolicy(text)).to.deep.equal({
      mode: 'enforce',
      mx: ['mail.example.com', '*.example.net', 'backupmx.example.com'],
      max_age: 604_800,
      problems: [],
    })
  })

  const CASES: readonly (readonly [text: string, ...problems: string[]])[] = [
    ['version: STSv1\nmode: none\nmax_age: 60'],
    ['version: STSv1\nmode: testing\nmx: a.example\nmax_age: 60', 'The max_age is less than a day.'],
    ['version: STSv2\nmode: testing\nmx: a.example\nmax_age: 86400', 'The version of the policy is not STSv1.'],
    ['version: STSv1\nmode: hard\nmx: a.example\nmax_age: 86400', 'The mode is none of enforce, testing and none.'],
    ['version: STSv1\nmode: enforce\nmax_age: 86400', 'The policy names no mail server.'],
    ['version: STSv1\nmode: enforce\nmx: a.example', 'The max_age is no number of seconds up to 31557600.'],
    ['version: STSv1\nmode: enforce\nmx: a.example\nmax_age: 31557601', 'The max_age is no number of seconds up to 31557600.'],
  ]
  for (const [text, ...problems] of CASES)
    it(JSON.stringify(text), () => {
      expect(parsePolicy(text).problems).to.deep.equal(problems)
    })

  it('a page that is no policy has every fault', () => {
    expect(parsePolicy('<html>not found</html>'.repeat(1_000)).problems).to.have.length(4)
  })

  it('a star stands for one label', () => {
    const cases = [
      ['mail.example.com', 'mail.example.com', true],
      ['MAIL.example.com.', 'mail.EXAMPLE.com', true],
      ['a.example.com', '*.example.com', true],
      ['a.b.example.com', '*.example.com', false],
      ['example.com', '*.example.com', false],
      ['mail.example.com', 'example.com', false],
    ] as const
    for (const [host, pattern, expected] of cases) expect(hostMatches(host, pattern), `${host} ${pattern}`).to.equal(expected)
  })
})

describe('name servers', () => {
  it('who runs them, by the first that is known', () => {
    const cases = [
      [['ada.ns.cloudflare.com'], 'Cloudflare'],
      [['ns-1.awsdns-00.co.uk', 'ns-2.awsdns-12.com'], 'Amazon Route 53'],
      [['ns1-09.azure-dns.com.'], 'Azure DNS'],
      [['ns-cloud-a1.googledomains.com'], 'Google Cloud DNS'],
      [['NS51.DOMAINCONTROL.COM'], 'GoDaddy'],
      [['dns1.registrar-servers.com'], 'Namecheap'],
      [['ns1.dnsimple-edge.net'], 'DNSimple'],
      [['ns1.acme.test', 'ns2.he.net'], 'Hurricane Electric'],
      [['ns1.acme.test'], null],
      [['notcloudflare.com'], null],
      [[], null],
    ] as const
    for (const [servers, expected] of cases) expect(dnsProvider(servers), servers.join(' ')).to.equal(expected)
  })
})
