import { expect } from 'chai'
import mapped, { type MappedInput } from './work/mapped.js'

const PRODUCT = {
  '@type': 'Product',
  name: 'Red kettle',
  brand: { '@type': 'Brand', name: 'Acme' },
  sku: 'K-17',
  offers: {
    '@type': 'Offer',
    price: '1,299.00',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
    priceValidUntil: '2026-12-31T00:00:00Z',
  },
  aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.5', reviewCount: 12 },
}
const SITE = { '@type': 'WebSite', name: 'The shop', url: 'https://shop.example/' }
const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }

const map = (properties: Record<string, unknown>, source: Partial<MappedInput>, more: Record<string, unknown> = {}) =>
  mapped({ schema: { type: 'object', properties, ...more }, prompt: null, text: '', items: [], metadata: {}, tables: [], ...source })

describe('documents.extract: structured data', () => {
  it('finds properties by name, by synonym and one level down, in the types of the schema', () => {
    const wanted = {
      title: text,
      price: number,
      currency: text,
      in_stock: { type: 'boolean' },
      brand: text,
      review_count: { type: 'integer' },
      article_number: text,
    }
    expect(map(wanted, { items: [SITE, PRODUCT] }).extracted).to.deep.equal({
      title: 'Red kettle',
      price: 1299,
      currency: 'EUR',
      in_stock: true,
      brand: 'Acme',
      review_count: 12,
      article_number: 'K-17',
    })
  })

  it('M2 finds a code, a number or a date that a sentence gives a name', () => {
    const code = { booking_number: { type: 'string' } }
    for (const sentence of [
      'Inner booking number is BK-4711.',
      'Hello. Your booking number is BK-4711! We wait.',
      '- **Booking number** is BK-4711',
      'The cabin is small, and (booking number is BK-4711) so it is.',
    ])
      expect(map(code, { text: `First line.\n${sentence}` }).extracted, sentence).to.deep.equal({ booking_number: 'BK-4711' })
    for (const sentence of [
      'The booking number is five digits.',
      'The booking number is 5 digits long.',
      'If the booking number is 0.',
      'A booking number is needed, see page 5.',
    ])
      expect(map(code, { text: sentence }).empty, sentence).to.equal(true)
    expect(map({ total: number }, { text: 'The maximum total is 100.\nThe total is 12.50.' }).extracted).to.deep.equal({ total: 12.5 })
    expect(map({ total: number }, { text: 'The total is 12.50.\nTotal: 13' }).extracted, 'a line with a label first').to.deep.equal({
      total: 13,
    })
  })

  it('finds a property by the words of its description', () => {
    expect(map({ amt: { ...number, description: 'Price of the product' } }, { items: [PRODUCT] }).extracted).to.deep.equal({ amt: 1299 })
  })

  it('fills objects in objects, choices and dates', () => {
    const offer = {
      type: 'object',
      properties: { availability: { enum: ['in_stock', 'out_of_stock'] }, valid_until: { type: 'string', format: 'date' } },
    }
    expect(map({ offers: offer, name: text }, { items: [PRODUCT] }).extracted).to.deep.equal({
      offers: { availability: 'in_stock', valid_until: '2026-12-31' },
      name: 'Red kettle',
    })
  })

  it('takes metadata for what no item says, and says what is absent', () => {
    const { extracted, absent } = map({ title: text, author: text, iban: text }, { metadata: { title: 'Prices', author: 'Ada Example' } })
    expect(extracted).to.deep.equal({ title: 'Prices', author: 'Ada Example', iban: null })
    expect(absent).to.deep.equal(['iban'])
  })

  it('makes lists of items of one type, of entries of a list, and of rows of a table', () => {
    const item = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } }, required: ['name', 'price'] }
    const products = { products: { type: 'array', items: item } }
    const other = { ...PRODUCT, name: 'Blue kettle', offers: { price: 5 } }
    const expected = {
      products: [
        { name: 'Red kettle', price: 1299 },
        { name: 'Blue kettle', price: 5 },
      ],
    }
    expect(map(products, { items: [PRODUCT, other, { '@type': 'Product', name: 'No price' }] }).extracted).to.deep.equal(expected)
    const list = {
      '@type': 'ItemList',
      itemListElement: [PRODUCT, other].map((each, at) => ({ '@type': 'ListItem', position: at, item: each })),
    }
    expect(map(products, { items: [list] }).extracted).to.deep.equal(expected)
    const rows = [
      ['Red kettle', '1.299,00 €'],
      ['Blue kettle', '5 €'],
    ]
    expect(map(products, { tables: [{ header: ['Product name', 'Price'], rows }] }).extracted).to.deep.equal(expected)
    expect(
      map(products, { text: 'Prices\n\n| Name | Price |\n|---|---|\n| Red kettle | 1,299 € |\n| **Blue** kettle | 5 |\n' }).extracted,
    ).to.deep.equal(expected)
  })

  it('takes labels before values: tables of two columns and lines', () => {
    const wanted = { invoice_number: text, total: number, due_date: { type: ['string', 'null'], format: 'date' }, supplier: text }
    const lines = '# Invoice\n\nInvoice number: R-17\n**Total:** 12,50 EUR\n- Due date: 31.1.2026\nhttps://a.example/: no'
    expect(map(wanted, { text: lines }).extracted).to.deep.equal({
      invoice_number: 'R-17',
      total: 12.5,
      due_date: '2026-01-31',
      supplier: null,
    })
    const table = {
      header: null,
      rows: [
        ['Invoice number:', 'R-17'],
        ['Total', '12.50'],
        ['Due date', 'January 31, 2026'],
        ['Seller', 'Acme'],
      ],
    }
    expect(map(wanted, { tables: [table] }).extracted).to.deep.equal({
      invoice_number: 'R-17',
      total: 12.5,
      due_date: '2026-01-31',
      supplier: 'Acme',
    })
  })

  it('makes lists of texts, also of one text with commas', () => {
    const tags = { tags: { type: 'array', items: { type: 'string' } } }
    expect(map(tags, { metadata: { keywords: ['red', 'blue'] } }).extracted).to.deep.equal({ tags: ['red', 'blue'] })
    expect(map(tags, { items: [{ '@type': 'Article', keywords: 'red, blue' }] }).extracted).to.deep.equal({ tags: ['red', 'blue'] })
  })

  it('invents nothing: several numbers, wrong types and other names are no values', () => {
    const wanted = { price: { type: 'number' }, count: { type: 'integer' }, email: { type: 'string', format: 'email' } }
    const { extracted, empty } = map(wanted, { items: [{ '@type': 'Product', name: 'x', price: '5 to 10', count: 'many' }] })
    expect(extracted).to.deep.equal({})
    expect(empty).to.equal(true)
  })

  it('a schema with names of the language itself is filled like any other', () => {
    const wanted = JSON.parse('{"constructor": {"type": ["string", "null"]}, "toString": {"type": ["string", "null"]}}') as Record<
      string,
      unknown
    >
    const { extracted } = map(wanted, { items: [{ '@type': 'Thing', constructor: 'Ada Example' }] })
    expect(Object.entries(extracted)).to.deep.equal([
      ['constructor', 'Ada Example'],
      ['toString', null],
    ])
  })

  it('thousands of items, and lists in them, take time that grows with their number alone', () => {
    const item = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        price: { type: 'number' },
        tags: { type: 'array', items: { type: 'object', properties: { word: text } } },
      },
    }
    const items = Array.from({ length: 3_000 }, (_, at) => ({ ...PRODUCT, name: `Kettle ${String(at)}` }))
    const { extracted, truncated } = map({ products: { type: 'array', items: item } }, { items })
    expect(truncated).to.equal(true)
    expect(extracted.products).to.have.length(1_000)
  }).timeout(20_000)
})
