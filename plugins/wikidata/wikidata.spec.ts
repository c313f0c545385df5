import { expect } from 'chai'
import * as wikidata from './contract.js'

type Snak = Record<string, unknown>
const item = (id: string): Snak => ({ snaktype: 'value', datavalue: { type: 'wikibase-entityid', value: { 'entity-type': 'item', id } } })
const time = (text: string, precision: number): Snak => ({
  snaktype: 'value',
  datavalue: { type: 'time', value: { time: text, precision } },
})
const string = (value: string): Snak => ({ snaktype: 'value', datavalue: { type: 'string', value } })
const quantity = (amount: string, unit = '1'): Snak => ({ snaktype: 'value', datavalue: { type: 'quantity', value: { amount, unit } } })
const claim = (mainsnak: Snak, rank = 'normal', qualifiers: Record<string, Snak[]> = {}) => ({ mainsnak, rank, qualifiers })
const values = (claims: wikidata.Claims, property: string) => wikidata.bestOf(claims, property).map(({ value }) => value)

describe('readers of wikidata', () => {
  it('take what is preferred, else what is normal, and never what is deprecated', () => {
    const claims = {
      P108: [claim(item('Q1'), 'deprecated'), claim(item('Q2')), claim(item('Q3'), 'preferred'), claim(item('Q4'))],
      P39: [claim(item('Q5')), claim(item('Q6'), 'deprecated')],
      P69: [claim(item('Q7'), 'deprecated')],
    }
    expect(values(claims, 'P108')).to.deep.equal([{ type: 'item', id: 'Q3' }])
    expect(wikidata.statementsOf(claims, 'P108').map(({ value, preferred }) => [value, preferred])).to.deep.equal([
      [{ type: 'item', id: 'Q2' }, false],
      [{ type: 'item', id: 'Q3' }, true],
      [{ type: 'item', id: 'Q4' }, false],
    ])
    expect(values(claims, 'P39')).to.deep.equal([{ type: 'item', id: 'Q5' }])
    expect(wikidata.bestOf(claims, 'P69')).to.deep.equal([])
    expect(wikidata.bestOf(claims, 'toString')).to.deep.equal([])
    expect(wikidata.itemsIn(claims, ['P108', 'P39'])).to.deep.equal(['Q2', 'Q3', 'Q4', 'Q5'])
  })

  it('leave out unknown and absent values, also behind a preferred rank', () => {
    const claims = {
      P1: [claim({ snaktype: 'somevalue' }), claim({ snaktype: 'novalue' }), claim(string('x'))],
      P2: [claim({ snaktype: 'novalue' }, 'preferred'), claim(string('of the past'))],
    }
    expect(values(claims, 'P1')).to.deep.equal([{ type: 'text', text: 'x', language: null }])
    expect(values(claims, 'P2')).to.deep.equal([])
  })

  const dates: [string, number, string | null][] = [
    ['+2009-04-12T00:00:00Z', 11, '2009-04'],
    ['+2009-04-00T00:00:00Z', 10, '2009-04'],
    ['+2009-04-12T00:00:00Z', 9, '2009'],
    ['+2009-00-00T00:00:00Z', 9, '2009'],
    ['+2009-00-00T00:00:00Z', 11, '2009'],
    ['+0987-02-01T00:00:00Z', 10, '0987-02'],
    ['+2000-01-01T00:00:00Z', 8, null],
    ['-0044-03-15T00:00:00Z', 11, null],
    ['soon', 11, null],
  ]
  for (const [text, precision, expected] of dates)
    it(`read the date ${text} of precision ${String(precision)} as ${String(expected)}`, () => {
      const [first] = wikidata.bestOf({ P580: [claim(time(text, precision))] }, 'P580')
      expect(first?.value.type === 'time' ? wikidata.yearMonthOf(first.value) : null).to.equal(expected)
    })

  it('read amounts with their unit, texts with their language, and qualifiers', () => {
    const dollars = 'http://www.wikidata.org/entity/Q4917'
    const claims = {
      P1128: [claim(quantity('+120'), 'normal', { P585: [time('+2020-00-00T00:00:00Z', 9), { snaktype: 'somevalue' }] })],
      P2139: [claim(quantity('-1.5', dollars)), claim(quantity('many'))],
      P1448: [claim({ snaktype: 'value', datavalue: { type: 'monolingualtext', value: { text: 'Acme', language: 'en' } } })],
      P625: [claim({ snaktype: 'value', datavalue: { type: 'globecoordinate', value: { latitude: 1, longitude: 2 } } })],
    }
    expect(values(claims, 'P1128')).to.deep.equal([{ type: 'quantity', amount: 120, unit: null }])
    expect(values(claims, 'P2139')).to.deep.equal([{ type: 'quantity', amount: -1.5, unit: 'Q4917' }])
    expect(wikidata.textsOf(claims, 'P1448')).to.deep.equal([{ type: 'text', text: 'Acme', language: 'en' }])
    expect(values(claims, 'P625')).to.deep.equal([])
    const [employees] = wikidata.bestOf(claims, 'P1128')
    expect(employees && wikidata.timesOf(employees)).to.deep.equal({
      start: null,
      end: null,
      at: { type: 'time', year: 2020, month: null, day: null },
    })
  })

  it('sort dates with the latest first and unknown ones last', () => {
    const at = (year: number, month: number | null = null) => ({ type: 'time' as const, year, month, day: null })
    expect([at(2001), null, at(2020), at(2020, 5)].sort(wikidata.newest)).to.deep.equal([at(2020, 5), at(2020), at(2001), null])
  })

  it('find an item by its id, also one that was merged into another, and none that is missing', () => {
    const entities = {
      Q1: { id: 'Q1', labels: { mul: { language: 'mul', value: ' Ada ' } }, descriptions: { en: { value: 'writer' } }, claims: {} },
      Q2: { id: 'Q2', missing: '' },
      Q4: { id: 'Q4', redirects: { from: 'Q3', to: 'Q4' }, labels: { en: { value: 'Four' }, mul: { value: 'IV' } } },
    }
    expect(wikidata.entityOf(entities, 'Q1')).to.deep.equal({ id: 'Q1', label: 'Ada', description: 'writer', aliases: [], claims: {} })
    expect(wikidata.entityOf(entities, 'Q2')).to.equal(null)
    expect(wikidata.entityOf(entities, 'Q3')).to.include({ id: 'Q4', label: 'Four' })
    expect(wikidata.entityOf(entities, 'Q5')).to.equal(null)
    expect(wikidata.entityOf(entities, 'constructor')).to.equal(null)
  })

  it('write requests as the API takes them', () => {
    expect(wikidata.searchCall('acme', { contact: 'ops@example.com', limit: 7 })).to.deep.include({
      query: {
        action: 'wbsearchentities',
        format: 'json',
        search: 'acme',
        language: 'en',
        uselang: 'en',
        type: 'item',
        limit: 7,
        maxlag: 5,
      },
    })
    expect(wikidata.entitiesCall(['Q1', 'Q2'], { contact: 'x', props: ['labels', 'claims'] }).query).to.include({
      ids: 'Q1|Q2',
      props: 'labels|claims',
    })
    expect(wikidata.userAgent('ops@example.com')['user-agent']).to.match(/^Capstan\/1\.0 \(ops@example\.com\)/)
    expect(wikidata.idBatches(Array.from({ length: 101 }, (_, at) => `Q${String(at)}`)).map(({ length }) => length)).to.deep.equal([
      50, 50, 1,
    ])
    expect(wikidata.commonsFile('Logo of A & B.svg', 256)).to.equal(
      'https://commons.wikimedia.org/wiki/Special:FilePath/Logo_of_A_%26_B.svg?width=256',
    )
  })
})
