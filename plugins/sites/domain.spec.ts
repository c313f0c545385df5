import { expect } from 'chai'
import { domainViolations, normalDomain, scriptsMixedIn, siteName } from './domain.js'

describe('sites: domains that callers write', () => {
  for (const [given, normal] of [
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['www.example.co.uk', 'www.example.co.uk'],
    ['müller.de', 'xn--mller-kva.de'],
    ['MÜLLER.de', 'xn--mller-kva.de'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['аpple.com', 'xn--pple-43d.com'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['a.b.c.d.example.org', 'a.b.c.d.example.org'],
    ['acme.github.io', 'acme.github.io'],
  ] as const)
    it(`${given} is ${normal}`, () => {
      expect(domainViolations(given, 'whois')).to.deep.equal([])
      expect(normalDomain(given)).to.equal(normal)
      expect(normalDomain(normal)).to.equal(normal)
    })

  for (const [given, says] of [
    ['https://example.com', 'give the bare name: example.com'],
    ['https://www.Example.com/path?q=1#a', 'give the bare name: www.example.com'],
    ['example.com/path', 'give the bare name: example.com'],
    ['example.com:8443', 'give the bare name: example.com'],
    ['http://user@example.com:80/', 'give the bare name: example.com'],
    ['ada@example.com', 'give the bare name: example.com'],
    ['example.com.', 'give the bare name: example.com'],
    ['.example.com', 'give the bare name: example.com'],
    [' example.com ', 'give the bare name: example.com'],
    ['https://müller.de/', 'give the bare name: xn--mller-kva.de'],
    ['localhost', 'localhost has no ending such as .com: give a whole domain such as example.com'],
    ['com', 'com is a suffix below which names are registered, not a domain'],
    ['192.0.2.1', 'it is an IP address, not a domain name such as example.com'],
    ['0x7f.1', 'it is an IP address, not a domain name such as example.com'],
    ['https://127.0.0.1/', 'give a bare name such as example.com, without scheme, port, path or blanks'],
    ['[::1]', 'give a bare name such as example.com, without scheme, port, path or blanks'],
    ['example..com', 'a name has no dot at either end and no empty part'],
    ['-example.com', 'it is not a domain name'],
    ['exa mple.com', 'give a bare name such as example.com, without scheme, port, path or blanks'],
    ['example.com\r\nHost: a', 'give a bare name such as example.com, without scheme, port, path or blanks'],
    ['exa%6dple.com', 'it is not a domain name'],
    [`${'a'.repeat(64)}.com`, 'it is not a domain name'],
    [`${'a'.repeat(64)}.example.com`, 'it is not a domain name'],
    [`${'a.'.repeat(140)}com`, 'it is not a domain name'],
    ['*.example.com', 'it is not a domain name'],
  ] as const)
    it(`${JSON.stringify(given.slice(0, 60))} is refused: ${says}`, () => {
      expect(normalDomain(given)).to.equal(given)
      expect(domainViolations(given, 'dns')).to.deep.equal([{ loc: ['domain'], msg: says }])
    })

  for (const suffix of ['nhs.uk', 'gov.uk', 'co.uk', 'gov.au', 'xn--55qx5d.cn'])
    it(`N10 ${suffix}, a suffix of several labels, is looked into but has no registration`, () => {
      expect(normalDomain(suffix.toUpperCase())).to.equal(suffix)
      expect(siteName(suffix)).to.deep.equal({ name: suffix, domain: suffix })
      for (const mode of ['overview', 'dns', 'security', 'tech-stack', 'subdomains'])
        expect(domainViolations(suffix, mode), mode).to.deep.equal([])
      const msg = `${suffix} is a suffix below which names are registered, not a domain`
      expect(domainViolations(suffix, 'whois')).to.deep.equal([{ loc: ['domain'], msg }])
    })

  it('names that mix letters which look alike are distinguished from others', () => {
    expect(scriptsMixedIn('xn--pple-43d.com')).to.deep.equal(['Latin', 'Cyrillic'])
    for (const name of ['example.com', 'xn--mller-kva.de', 'xn--r8jz45g.jp', 'xn--e1afmkfd.com'])
      expect(scriptsMixedIn(name)).to.deep.equal([])
  })
})
