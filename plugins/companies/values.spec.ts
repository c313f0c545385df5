import { expect } from 'chai'
import { cpuOf } from '../../test/support/time.js'
import { peopledatalabs } from '../_vendors/peopledatalabs.js'
import { supported } from './merge/model.js'
import { addressIn } from './site/address-in.js'
import { foundedIn } from './site/founded-in.js'
import { manifestOf } from './site/manifest.js'
import { nameOf } from './site/name.js'
import { organizationIn } from './site/organization.js'
import { parkedAs, type PageSigns } from './site/parked.js'
import { brandColours, hexOf } from './values/colour.js'
import { kindOf } from './values/kind.js'
import { dollars, lowerEnd, printed, withCurrency } from './values/money.js'
import { placeOf, webAddress, yearOf } from './values/read.js'
import { sizeOf, sizeOfBand } from './values/size.js'
import { handleOf, socialLinks } from './values/social.js'

function table<I, O>(what: string, run: (input: I) => O, rows: readonly (readonly [I, O])[]): void {
  for (const [input, output] of rows) it(`${what}: ${JSON.stringify(input).slice(0, 90)}`, () => expect(run(input)).to.deep.equal(output))
}

describe('companies: values of vendors in one form', () => {
  table('band of a number', sizeOf, [
    [null, null],
    [0, null],
    [1, '1-10'],
    [10, '1-10'],
    [11, '11-50'],
    [200, '51-200'],
    [1_000, '501-1000'],
    [1_001, '1001-5000'],
    [10_000, '5001-10000'],
    [10_001, '10001+'],
  ])
  table('band of a vendor', sizeOfBand, [
    ['1-10', '1-10'],
    ['10-50', '11-50'],
    ['11-50', '11-50'],
    ['50-200', '51-200'],
    ['200-500', '201-500'],
    ['500-1k', '501-1000'],
    ['1k-5k', '1001-5000'],
    ['5k-10k', '5001-10000'],
    ['over-10k', '10001+'],
    ['10001+', '10001+'],
    ['5001-10000', '5001-10000'],
    ['many', null],
    [null, null],
  ])
  table('currency of a printed amount', withCurrency, [
    ['$10M-$25M', '10M-25M USD'],
    ['10m-50m', '10M-50M USD'],
    ['under-1m', 'under 1M USD'],
    ['over-1b', 'over 1B USD'],
    ['12M', '12M USD'],
    ['12M EUR', '12M EUR'],
    ['unknown', null],
  ])
  table('lower end of a band', lowerEnd, [
    ['under-1m', null],
    ['1m-10m', 1e6],
    ['200m-1b', 2e8],
    ['over-1b', 1e9],
  ])
  table('printed dollars', (amount: number) => printed(amount, 'USD'), [
    [950, '950 USD'],
    [12_500_000, '12.5M USD'],
    [1_234_567_890, '1.23B USD'],
    [383_285_000_000, '383B USD'],
  ])
  it('an amount that is none has no money', () => {
    expect(dollars(-5)).to.equal(null)
    expect(dollars(null)).to.equal(null)
    expect(dollars(NaN, '$5M')).to.deep.equal({ amount: null, printed: '5M USD' })
  })
  table('kind', kindOf, [
    ['privately-held', 'PRIVATELY_HELD'],
    ['private', 'PRIVATELY_HELD'],
    ['PUBLIC_COMPANY', 'PUBLIC_COMPANY'],
    ['nonprofit', 'NON_PROFIT'],
    ['educational-institution', 'EDUCATIONAL'],
    ['Aktiengesellschaft', 'AKTIENGESELLSCHAFT'],
    ['', null],
    [null, null],
  ])
  table('profiles', (address: string) => socialLinks([address]), [
    ['linkedin.com/company/acme', { linkedin: 'https://linkedin.com/company/acme' }],
    ['http://www.linkedin.com/company/acme/?trk=x', { linkedin: 'https://www.linkedin.com/company/acme' }],
    ['https://x.com/acme', { twitter: 'https://x.com/acme' }],
    ['//de-de.facebook.com/acme', { facebook: 'https://de-de.facebook.com/acme' }],
    ['https://x.com.evil.test/acme', {}],
    ['https://user@twitter.com/acme', {}],
    ['https://twitter.com/', {}],
    ['javascript:alert(1)', {}],
    ['https://www.facebook.com/sharer/sharer.php?u=https://acme.test', {}],
    ['https://twitter.com/intent/tweet?text=x', {}],
    ['https://x.com/share?url=x', {}],
    ['https://www.linkedin.com/shareArticle?mini=true', {}],
    ['https://www.linkedin.com/sharing/share-offsite/?url=x', {}],
    ['https://www.linkedin.com/cws/share?url=x', {}],
    ['https://pinterest.com/pin/create/button/', {}],
    ['https://t.me/share/url?url=x', {}],
    ['https://www.youtube.com/watch?v=1', {}],
    ['https://wellfound.com/company/acme', { wellfound: 'https://wellfound.com/company/acme' }],
    ['', {}],
  ])
  it('profiles stand behind any number of links that are none', () => {
    const shares = Array.from({ length: 300 }, (_, at) => `https://x.com/intent/tweet?text=${String(at)}`)
    expect(socialLinks([...shares, 'https://x.com/acme'])).to.deep.equal({ twitter: 'https://x.com/acme' })
  })
  it('the first profile of a network is kept', () => {
    expect(socialLinks(['https://x.com/one', 'https://twitter.com/two'])).to.deep.equal({ twitter: 'https://x.com/one' })
  })
  it('handles are the last part of a profile', () => {
    expect(handleOf('linkedin', 'https://www.linkedin.com/company/acme-inc')).to.equal('acme-inc')
    expect(handleOf('twitter', 'https://twitter.com/@acme')).to.equal('acme')
    expect(handleOf('twitter', 'https://twitter.com/%E0%A4%A')).to.equal(null)
    expect(handleOf('instagram', undefined)).to.equal(null)
  })
  table('colour', hexOf, [
    ['#AbC', '#aabbcc'],
    ['112233', '#112233'],
    ['rgb(17, 34, 51)', '#112233'],
    ['rgb(300,0,0)', null],
    ['red', null],
    [null, null],
  ])
  table('colours of a brand', brandColours, [
    [
      ['#ffffff', '#c81e1e', '#c81f1f', '#1e3ac8'],
      ['#c81e1e', '#1e3ac8'],
    ],
    [
      ['#000000', '#1e3ac8'],
      ['#1e3ac8', '#000000'],
    ],
    [['#fefefe'], [null, null]],
  ])
  table('year', (value: unknown) => yearOf(value, 2026), [
    ['2009-04-01', 2009],
    [2009, 2009],
    ['2027', null],
    ['0009', null],
    ['20090', null],
    [null, null],
  ])
  it('addresses and places', () => {
    expect([webAddress('acme.test'), webAddress('ftp://x'), webAddress('a b')]).to.deep.equal(['https://acme.test', null, null])
    expect(placeOf('Lyon', null, ' ', 'Lyon', 'France')).to.equal('Lyon, France')
  })
})

describe('companies: what a page says of its company', () => {
  table('address in a footer', (text: string) => addressIn(text, false), [
    ['About\n1 rue X, 69001 Lyon\nTel. 04', '1 rue X, 69001 Lyon'],
    ['Acme\nHauptstraße 5\n10115 Berlin', 'Hauptstraße 5, 10115 Berlin'],
    ['Acme Inc, 500 Main St, Springfield, IL 62701', 'Acme Inc, 500 Main St, Springfield, IL 62701'],
    ['10 Downing Street, London SW1A 2AA', '10 Downing Street, London SW1A 2AA'],
    ['© 2010 Acme. 2024 Edition', null],
    ['+49 30 12345 678', null],
    ['mail 12345 Contact@acme.test', null],
    ['', null],
  ])
  it('an <address> needs no postal code, but more than a mail address', () => {
    expect(addressIn('Acme Ltd\nUnit 4, Harbour Road\nDublin\ninfo@acme.test', true)).to.equal('Acme Ltd, Unit 4, Harbour Road, Dublin')
    expect(addressIn('By Ada, 3 May', true)).to.be.a('string')
    expect(addressIn('info@acme.test', true)).to.equal(null)
  })
  table('founding', (text: string) => foundedIn(text, 2026), [
    ['We were founded in 2009 in Lyon.', 2009],
    ['Founded in May 2009', 2009],
    ['Est. 1998', 1998],
    ['family-owned since 1895', 1895],
    ['Gegründet 1995', 1995],
    ['fondée en 1901', 1901],
    ['© 1999-2026 Acme', null],
    ['established in 2090', null],
    ['Updated since 2020 we', null],
  ])
  const page: PageSigns = { url: 'https://acme.test/', title: null, headings: [], description: null, text: '', loads: [], script: '' }
  table('parked', (more: Partial<PageSigns>) => parkedAs({ ...page, ...more }) !== null, [
    [{ title: 'acme.test is for sale' }, true],
    [{ text: 'The domain acme.test may be for sale by its owner' }, true],
    [{ text: 'This domain is parked free, courtesy of someone' }, true],
    [{ title: 'Welcome to nginx!' }, true],
    [{ url: 'https://www.hugedomains.com/x' }, true],
    [{ loads: ['https://img.sedoparking.com/x.js'] }, true],
    [{ script: 'window.location.href="/lander"' }, true],
    [{ title: 'Acme' }, false],
    [{ title: 'Kettles for sale' }, false],
    [{ title: 'Acme', text: `We say when a domain is for sale. ${'Domains and more. '.repeat(100)}` }, false],
  ])
  it('a name is that of the structured data or the site, else the part of the title that the domain is made of', () => {
    const facts = { site_name: null, title: 'Kettles for cafés | Acme Ltd', open_graph: {} }
    const about = { domain: 'acme.test', organization: null, manifest: null }
    expect(nameOf(facts, about)).to.equal('Acme Ltd')
    expect(nameOf({ ...facts, site_name: 'acme.test' }, about)).to.equal('Acme Ltd')
    expect(nameOf({ ...facts, site_name: 'ACME' }, about)).to.equal('ACME')
    expect(nameOf(facts, { ...about, organization: 'Acme SAS' })).to.equal('Acme SAS')
    expect(nameOf({ ...facts, title: 'Kettles – for everybody' }, about)).to.equal(null)
    expect(nameOf({ ...facts, title: 'International Business Machines: Home' }, { ...about, domain: 'ibm.test' })).to.equal(
      'International Business Machines',
    )
  })
  it('a title of blanks is read in time in proportion to it', async () => {
    const facts = { site_name: null, title: `Acme${' '.repeat(200_000)}x : Ltd`, open_graph: { title: [`${'\t'.repeat(200_000)}:`] } }
    const about = { domain: 'acme.test', organization: null, manifest: null }
    expect(await cpuOf(() => expect(nameOf(facts, about)).to.equal('Acme x'))).to.be.below(1_000)
  })
  it('the organization of the domain is preferred, whatever its type and place', () => {
    const items = [
      { '@type': 'Organization', name: 'Customer', url: 'https://customer.test' },
      {
        '@type': 'WebSite',
        publisher: { '@type': ['Thing', 'LocalBusiness'], name: 'Acme', url: 'https://acme.test', numberOfEmployees: { minValue: '11' } },
      },
    ]
    expect(organizationIn({ json_ld: items, microdata: [], rdfa: [] }, 'acme.test')).to.deep.include({ name: 'Acme', employees: 11 })
    expect(organizationIn({ json_ld: [{ '@type': 'Product', name: 'Kettle' }], microdata: [], rdfa: [] }, 'acme.test')).to.equal(null)
  })
  it('a manifest gives its largest icons, and nothing of what is none', () => {
    const icons = [
      { src: 'a.png', sizes: '48x48' },
      { src: 'b.png', sizes: '512x512' },
      { src: 'javascript:1' },
      null,
      { src: 'm.png', sizes: '512x512', purpose: 'maskable' },
    ]
    expect(manifestOf({ short_name: 'Acme', icons }, 'https://acme.test/x/m.json').icons).to.deep.equal(
      ['b', 'a', 'm'].map((name) => `https://acme.test/x/${name}.png`),
    )
    for (const json of [null, 5, [], { icons: 'x', name: 7 }])
      expect(manifestOf(json, 'https://acme.test/')).to.deep.include({ name: null, icons: [] })
  })
  table('answer of a model', (answer: string) => supported(answer, 'Acme makes 3 kettles, from 1,200 parts.'), [
    ['Acme makes 3 kettles from 1,200 parts.', 'Acme makes 3 kettles from 1,200 parts.'],
    ['Acme makes 30 kettles.', null],
    ['See https://evil.example', null],
    ['<b>Acme</b> makes kettles', null],
    ['short', null],
    ['x'.repeat(501), null],
  ])
})

describe('companies: when People Data Labs lets itself be asked again', () => {
  const read = (reset: string | undefined) =>
    peopledatalabs.fault({ status: 429, headers: reset === undefined ? {} : { 'x-ratelimit-reset': reset }, body: {} })?.retryAfterSeconds
  it('stands in a header of its own, in UTC', () => {
    const later = new Date(Date.now() + 90_000)
    for (const text of [
      later.toISOString(),
      later.toISOString().slice(0, 19).replace('T', ' '),
      later.toUTCString(),
      String(Math.ceil(later.getTime() / 1000)),
    ])
      expect(read(text), text).to.be.within(80, 92)
    expect(read('soon')).to.equal(undefined)
    expect(read(undefined)).to.equal(undefined)
  })
})
