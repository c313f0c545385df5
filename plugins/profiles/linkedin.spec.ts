import { expect } from 'chai'
import { canonicalLinkedIn, readLinkedIn } from './linkedin.js'

const ADA = 'https://www.linkedin.com/in/ada-lovelace'
const forms = [
  ADA,
  'https://www.linkedin.com/in/ada-lovelace/',
  'http://linkedin.com/in/ada-lovelace',
  'HTTPS://WWW.LinkedIn.com/in/Ada-Lovelace',
  'linkedin.com/in/ada-lovelace',
  'www.linkedin.com/in/ada-lovelace',
  '//www.linkedin.com/in/ada-lovelace',
  'https://www.linkedin.com./in/ada-lovelace',
  'https://de.linkedin.com/in/ada-lovelace/en',
  'uk.linkedin.com/in/ada-lovelace?trk=public_profile&x=1',
  'https://m.linkedin.com/in/ada-lovelace#about',
  'https://touch.linkedin.com/mwlite/in/ada-lovelace',
  'https://www.linkedin.com/in/ada-lovelace/details/experience/',
  'https://www.linkedin.com//in//ada-lovelace',
  'https://www.linkedin.com/in/%61da-lovelace',
  'https://www.linkedin.com/pub/ada-lovelace',
  '  https://www.linkedin.com/in/ada-lovelace ',
]
const others: [string, string][] = [
  ['https://sy.linkedin.com/pub/krzysztof-marzec/a7/576/b50?trk=x', 'https://www.linkedin.com/in/krzysztof-marzec-b50576a7'],
  ['http://www.linkedin.com/pub/first-last/1/2A/3/', 'https://www.linkedin.com/in/first-last-00302a1'],
  ['https://www.linkedin.com/in/j%C3%BCrgen-m%C3%BCller', 'https://www.linkedin.com/in/j%C3%BCrgen-m%C3%BCller'],
  ['https://www.linkedin.com/in/jürgen-müller', 'https://www.linkedin.com/in/j%C3%BCrgen-m%C3%BCller'],
  ['https://www.linkedin.com/in/ju\u0308rgen-mu\u0308ller', 'https://www.linkedin.com/in/j%C3%BCrgen-m%C3%BCller'],
  ['https://www.linkedin.com/in/山田-太郎-1a2b3c', `https://www.linkedin.com/in/${encodeURIComponent('山田-太郎-1a2b3c')}`],
]
const refused = [
  '',
  'ada-lovelace',
  'in/ada-lovelace',
  'https://linkedin.com.evil.example/in/ada',
  'https://evil.example/linkedin.com/in/ada',
  'https://evil.example/?x=https://www.linkedin.com/in/ada',
  'https://notlinkedin.com/in/ada',
  'https://linkedin.co/in/ada',
  'https://xn--lnkedin-1wa.com/in/ada',
  'https://www.xn--linkedin-xyz.com/in/ada',
  'https://lіnkedin.com/in/ada',
  'https://linkedin。com/in/ada',
  'https://www.linkedin.com@evil.example/in/ada',
  'https://@www.linkedin.com/in/ada',
  'https://user:pass@www.linkedin.com/in/ada',
  'https://www.linkedin.com:443/in/ada',
  'https://www.linkedin.com:8080/in/ada',
  'www.linkedin.com:80/in/ada',
  'https://www.linkedin.com\\@evil.example/in/ada',
  'https://evil.example\\.linkedin.com/in/ada',
  'https://www.linkedin%2ecom/in/ada',
  'https://a.b.linkedin.com/in/ada',
  'https://evil.linkedin.com/in/ada',
  'ftp://www.linkedin.com/in/ada',
  'javascript://www.linkedin.com/in/ada',
  'file:///in/ada',
  'https://127.0.0.1/in/ada',
  'https://[::1]/in/ada',
  'https://www.linkedin.com/',
  'https://www.linkedin.com/in/',
  'https://www.linkedin.com/in/..',
  'https://www.linkedin.com/in/%2e%2e',
  'https://www.linkedin.com/in/%',
  'https://www.linkedin.com/in/a%2Fb',
  'https://www.linkedin.com/in/a%00b',
  'https://www.linkedin.com/in/a%0d%0ab',
  'https://www.linkedin.com/in/a%e2%80%8bb',
  'https://www.linkedin.com/in/ada\r\nHost: evil.example',
  `https://www.linkedin.com/in/${'a'.repeat(201)}`,
  'https://www.linkedin.com/company/acme',
  'https://www.linkedin.com/school/insa/',
  'https://www.linkedin.com/showcase/acme',
  'https://www.linkedin.com/pub/dir/ada/lovelace',
  'https://www.linkedin.com/profile/view?id=123',
  'https://www.linkedin.com/sales/lead/ACwAA',
  'https://www.linkedin.com/feed/',
  'https://lnkd.in/abc',
]

describe('addresses of LinkedIn profiles', () => {
  for (const form of forms) it(`${JSON.stringify(form)} is one profile`, () => expect(canonicalLinkedIn(form)).to.equal(ADA))
  for (const [form, expected] of others) it(`${form} is ${expected}`, () => expect(canonicalLinkedIn(form)).to.equal(expected))
  for (const form of [...forms, ...others.map(([one]) => one)])
    it(`the form of ${JSON.stringify(form)} is its own form`, () => {
      const once = canonicalLinkedIn(form) ?? ''
      expect(canonicalLinkedIn(once)).to.equal(once)
    })
  for (const form of refused)
    it(`${JSON.stringify(form.slice(0, 70))} is none`, () => expect(readLinkedIn(form)).to.have.property('problem').that.is.a('string'))
  it('says of the page of a company who looks it up', () => {
    expect(readLinkedIn('https://www.linkedin.com/company/acme')).to.have.property('problem').that.includes('companies.find')
  })
})
