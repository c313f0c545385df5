import { expect } from 'chai'
import { scored } from '../../scripts/bench/invoices/score.js'
import { GROUPS, invoicesOf, setsOf } from '../../scripts/bench/invoices/sets.js'
import type { InvoiceTruth, LineTruth } from '../../scripts/bench/invoices/types.js'

const line = (description: string, total: number): LineTruth => ({
  description,
  quantity: 1,
  unit_price: total,
  total_amount: total,
  tax_rate: 20,
})
const truth: InvoiceTruth = {
  invoice_number: 'F-17/2026',
  date: '2026-01-31',
  due_date: null,
  supplier_name: 'Zakład Brzoza sp. z o.o.',
  supplier_address: 'Straße 1, 12345 Köln',
  customer_name: 'First Last',
  currency: 'EUR',
  subtotal: 100,
  total_tax: 20,
  total_amount: 120,
  line_items: [line('Oak shelf', 60), line('Assembly', 40)],
}
/** Names of the fields that are wrong. */
const wrong = (answer: Partial<InvoiceTruth> | null) =>
  scored(truth, answer === null ? null : { ...truth, ...answer })
    .filter(({ right }) => !right)
    .map(({ name, line: at }) => (at === null ? name : `${name} ${String(at)}`))

describe('bench of invoices: what counts as right', () => {
  it('texts by letters and digits, dates and currencies as they are, numbers to the cent', () => {
    expect(wrong({})).to.deep.equal([])
    expect(
      wrong({ invoice_number: 'f17 2026', supplier_name: 'ZAKLAD BRZOZA SP Z O O', supplier_address: 'STRASSE 1\n12345 Koln' }),
    ).to.deep.equal([])
    expect(wrong({ invoice_number: 'F-18/2026', date: '31.01.2026', currency: 'eur' })).to.deep.equal([
      'invoice_number',
      'date',
      'currency',
    ])
    expect(wrong({ subtotal: 100.004, total_amount: 120.01, total_tax: -20 })).to.deep.equal(['total_tax', 'total_amount'])
  })

  it('null is right where there is nothing, and only there', () => {
    expect(wrong({ due_date: '2026-02-28', customer_name: null })).to.deep.equal(['due_date', 'customer_name'])
  })

  it('without an answer everything is wrong, what is not there as well', () => {
    expect(wrong(null)).to.have.lengthOf(20)
    expect(scored(truth, null)).to.have.lengthOf(20)
  })

  it('a line that is missing costs its own fields alone, and so does one too many', () => {
    const [first = line('', 0), second = line('', 0)] = truth.line_items
    const all = ['description', 'quantity', 'unit_price', 'total_amount', 'tax_rate'].map((name) => `line_items.${name}`)
    expect(wrong({ line_items: [second] })).to.deep.equal(all.map((name) => `${name} 0`))
    expect(wrong({ line_items: [line('Subtotal', 100), first, second] })).to.have.lengthOf(5)
    expect(wrong({ line_items: [first, { ...second, quantity: 4 }] })).to.deep.equal(['line_items.quantity 1'])
    expect(wrong({ line_items: [] })).to.have.lengthOf(10)
  })
})

describe('bench of invoices: its layouts', () => {
  it('give the same each time, in eight languages, with amounts that add up', async () => {
    const made = invoicesOf(await setsOf('scored'))
    expect(made).to.deep.equal(invoicesOf(await setsOf('scored')))
    expect(new Set(made.map(({ language }) => language))).to.have.property('size', 8)
    for (const { id, set, truth: known } of made) {
      const { subtotal, total_tax: tax, total_amount: total } = known
      expect((subtotal ?? 0) + (tax ?? 0), `${set} ${id}`).to.be.closeTo(total ?? Number.NaN, 0.001)
    }
  })

  it('have thirty papers with extras, in fifteen languages or more, whose total is that of their rows', async () => {
    const made = invoicesOf(await setsOf('extras'))
    expect(made).to.deep.equal(invoicesOf(await setsOf('extras')))
    expect(made).to.have.length(30)
    expect(new Set(made.map(({ language }) => language)).size).to.be.at.least(15)
    const apart = made.filter(({ truth: { subtotal, total_tax: tax, total_amount: total } }) => (subtotal ?? 0) + (tax ?? 0) !== total)
    expect(apart.map(({ set }) => set)).to.include.members(['extras/tip-us', 'extras/withholding-es', 'extras/bottles-de'])
  })

  it('have names that occur once', async () => {
    for (const group of GROUPS) {
      const names = invoicesOf(await setsOf(group)).map(({ set, id }) => `${set} ${id}`)
      expect(new Set(names).size).to.equal(names.length)
    }
  })
})
