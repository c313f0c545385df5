import { expect } from 'chai'
import { mixedScripts } from '../registration/contract.js'
import { readDomain, readLabel, readTld } from './checks/domain-name.js'
import { drawnLike, readAsLetters } from './checks/scripts.js'
import { combined, type Verdict } from './checks/verdicts.js'
import { entryOf } from './modes/entries.js'
import { fittingExtensions } from './modes/fitting.js'
import { keywordsOf, themesOf } from './names/keywords.js'
import { madeNames } from './names/made.js'
import { clashesWith } from './names/marks.js'
import { sayability, scoreOf } from './names/sayable.js'
import { amountOf, currencyOf } from './prices/amount.js'

const BAKERY = 'A bakery in Lisbon that sells sourdough bread by subscription'

describe('domains: names out of words', () => {
  it('the same words give the same names, each once, of several kinds and as labels', () => {
    const made = madeNames({ description: BAKERY, company_name: null }, 40)
    expect(made).to.deep.equal(madeNames({ description: BAKERY, company_name: null }, 40))
    expect(made).to.have.lengthOf(40)
    expect(new Set(made.map(({ label, tld }) => `${label}.${tld ?? ''}`)).size).to.equal(40)
    for (const { label } of made) expect(label).to.match(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
    expect([...new Set(made.map(({ category }) => category))]).to.include.members([
      'blend',
      'prefix',
      'suffix',
      'hack',
      'short',
      'compound',
    ])
  })

  it('a word whose end is an extension is split there', () => {
    const hacks = madeNames({ description: 'furniture and fashion', company_name: 'Red Kettle Works' }, 60).filter(
      ({ category }) => category === 'hack',
    )
    expect(hacks.map(({ label, tld }) => `${label}.${tld ?? ''}`)).to.include('redkettle.works')
  })

  it('nothing in Latin letters makes no names, a company name alone does', () => {
    expect(madeNames({ description: '面包店 — 123 !', company_name: null }, 10)).to.deep.equal([])
    expect(madeNames({ description: '', company_name: 'Ådal & Søn' }, 10).map(({ label }) => label)).to.include('adalson')
  })

  it('words of a theme come before others, and small words are left out', () => {
    expect(keywordsOf('The people of Lisbon love bread and our bakery')[0]).to.equal('bread')
    expect(keywordsOf('and the for with')).to.deep.equal([])
    expect(themesOf(BAKERY)[0]).to.deep.include({ theme: 'food' })
  })

  it('a long description is read in little time', () => {
    const words = Array.from({ length: 50_000 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}`).join(' ')
    expect(madeNames({ description: words, company_name: null }, 40).length).to.be.above(0)
  })

  for (const [label, mark] of [
    ['google', 'google'],
    ['goog1e', 'google'],
    ['gooogle', 'google'],
    ['googel', 'google'],
    ['mynetflixshop', 'netflix'],
    ['net-flix', 'netflix'],
    ['apple', 'apple'],
    ['pineapples', 'apple'],
    ['bic', 'bic'],
    ['bicycle', null],
    ['sourloaf', null],
  ] as const)
    it(`${label} ${mark === null ? 'is near no mark' : `is near ${mark}`}`, () => expect(clashesWith(label)).to.equal(mark))

  it('what is said easily has more points', () => {
    const order = ['lumino', 'bakerify', 'strength', 'bxkqtr']
    const points = order.map(sayability)
    expect([...points].sort((one, other) => other - one)).to.deep.equal(points)
    expect(sayability('bxkqtr')).to.equal(0)
    expect(scoreOf('lumino')).to.be.above(scoreOf('luminoluminolumino'))
  })
})

describe('domains: scripts', () => {
  for (const [label, mixed] of [
    ['apple', false],
    ['аpple', true],
    ['аррӏе', false],
    ['bücher', false],
    ['日本語カタカナ', false],
    ['日本abc', false],
    ['한국日本', false],
    ['αбв', true],
    ['ελλάδα', false],
    ['אבגabc', true],
  ] as const)
    it(`${label} ${mixed ? 'mixes scripts' : 'is of one'}`, () => expect(mixedScripts(label).length > 0).to.equal(mixed))

  it('what a name looks like is reported for other alphabets alone', () => {
    expect([drawnLike('аррӏе'), drawnLike('apple'), drawnLike('ελλάδα'), drawnLike('москва')]).to.deep.equal(['apple', null, null, null])
    expect([readAsLetters('paypa1'), readAsLetters('g00gle'), readAsLetters('rnicrosoft')]).to.deep.equal(['paypal', 'google', 'microsoft'])
  })

  it('names, labels and extensions are read in their own forms', () => {
    expect(readDomain('www.Bücher.co.uk')).to.deep.equal({ domain: 'xn--bcher-kva.co.uk', name: 'xn--bcher-kva', tld: 'co.uk', cut: true })
    expect(readDomain('acme.github.io')).to.include({ domain: 'github.io' })
    expect(readLabel('acme.com')).to.have.property('wrong')
    expect(readTld('.COM')).to.deep.equal({ tld: 'com' })
    expect(readTld('рф')).to.deep.equal({ tld: 'xn--p1ai' })
    for (const wrong of ['', '.', 'com.', 'a b', 'nosuchtld', 'github.io', 'acme.com'])
      expect(readTld(wrong), wrong).to.have.property('wrong')
  })
})

describe('domains: what two vendors say', () => {
  const says = (more: Partial<Verdict>): Verdict => ({
    domain: 'acme.com',
    status: 'available',
    verified: true,
    premium: null,
    early_access: null,
    price: null,
    priceOf: null,
    ...more,
  })
  const usual = { registration: 10, renewal: 12, currency: 'USD', source: 'porkbun', date: '2026-01-02' }
  const wanted = { domain: 'acme.com', name: 'acme', tld: 'com', category: null }
  const own = (registration: number) => ({ price: { registration, renewal: null, currency: 'USD' }, priceOf: 'godaddy' })

  it('what the registry has no record of and a registrar does not sell is reserved', () => {
    expect(combined(says({ verified: false }), says({ status: 'registered' }))).to.include({ status: 'reserved' })
    expect(combined(says({ verified: false }), says({ status: 'registered', verified: false }))).to.include({ status: 'available' })
    expect(combined(says({ verified: false }), says({ premium: true }))).to.include({ verified: true, premium: true })
    expect(combined(undefined, says({}))).to.include({ status: 'available' })
  })

  it('entries have the status, and the price that belongs to it', () => {
    expect(entryOf(wanted, null, usual)).to.include({ status: 'unknown', available: null, verified: null, price: null })
    expect([true, false].map((verified) => entryOf(wanted, says({ verified }), usual).verified)).to.deep.equal([true, false])
    expect(entryOf(wanted, says({ status: 'reserved' }), usual)).to.include({ status: 'unknown', available: false, price: null })
    expect(entryOf(wanted, says({ status: 'registered' }), usual)).to.include({ status: 'registered', available: false, price: null })
    expect(entryOf(wanted, says({}), usual)).to.deep.include({ status: 'available', available: true, premium: null, price: usual })
    expect(entryOf(wanted, says({ premium: true }), usual)).to.include({ status: 'premium', available: true, price: null })
    expect(entryOf(wanted, says({ premium: true, ...own(900) }), usual).price).to.include({ registration: 900, source: 'godaddy' })
    expect(entryOf(wanted, says({ early_access: true, premium: false }), usual)).to.include({ status: 'early-access', early_access: true })
  })

  it('T-56 a price far above the usual one is that of a premium name, also where nobody says so', () => {
    expect(entryOf(wanted, says(own(51)), usual)).to.include({ status: 'premium', premium: true })
    expect(entryOf(wanted, says(own(12)), usual)).to.deep.include({ status: 'available', premium: null, price: usual })
    expect(entryOf(wanted, says({ ...own(51), premium: false }), usual)).to.include({ status: 'available' })
    expect(entryOf(wanted, says(own(51)), null)).to.include({ status: 'available' })
  })

  it('T-56 amounts and currencies are read as such or not at all', () => {
    const given: readonly [unknown, number | null][] = [
      ['11.08', 11.08],
      [11.08, 11.08],
      ['0', null],
      ['-1', null],
      ['1e3', null],
      ['11,08', null],
      ['$11', null],
      ['100000.01', null],
      [Number.NaN, null],
      [Infinity, null],
      [null, null],
      [{ valueOf: () => 1 }, null],
    ]
    expect(given.map(([value]) => amountOf(value))).to.deep.equal(given.map(([, amount]) => amount))
    expect([currencyOf('usd'), currencyOf('US'), currencyOf('<b>'), currencyOf(5)]).to.deep.equal(['USD', null, null, null])
  })
})

describe('domains: extensions that fit', () => {
  it('those that stand in the description, then those of its theme, each once', () => {
    const fitting = fittingExtensions({ description: 'Open source tools for solar power plants', company_name: null }, 20)
    expect(fitting.slice(0, 2).map(({ tld }) => tld)).to.deep.equal(['solar', 'tools'])
    expect(fitting.map(({ tld }) => tld)).to.include.members(['com', 'io', 'energy'])
    expect(new Set(fitting.map(({ tld }) => tld)).size).to.equal(20)
  })
})
