import { expect } from 'chai'
import { completed } from './arithmetic/completed.js'
import { judge } from './arithmetic/judge.js'
import { withoutContradictions } from './arithmetic/without-contradictions.js'
import { emptyRecord } from './empty-record.js'
import type { InvoiceLine, InvoiceRecord } from './record.js'

const line = (quantity: number | null, price: number | null, total: number | null, rate: number | null = 20): InvoiceLine => ({
  description: 'x',
  quantity,
  unit_price: price,
  adjustment: null,
  total_amount: total,
  tax_rate: rate,
})
const GOOD = { currency: 'EUR', subtotal: 100, total_tax: 20, total_amount: 120, line_items: [line(2, 25, 50), line(1, 50, 50)] }
const record = (more: Partial<InvoiceRecord> = {}): InvoiceRecord => ({ ...emptyRecord(), ...GOOD, ...more })
/** The remaining record, and the sentences on the rest. */
const kept = (more: Partial<InvoiceRecord>) => {
  const whole = completed(record(more))
  return withoutContradictions(whole, judge(whole))
}

describe('invoices: arithmetic', () => {
  it('amounts that add up are taken as they are, without a remark', () => {
    expect(judge(record())).to.deep.include({
      adds: true,
      total: true,
      lines: true,
      linesGive: 'subtotal',
      rates: true,
      each: [true, true],
    })
    expect(kept({})).to.deep.equal({ record: record(), notes: [] })
  })

  it('rates of lines with tax are part of them: 20 % of 60.00 are 10.00', () => {
    const gross = { ...GOOD, total_tax: 13.5, total_amount: 113.5, line_items: [line(1, 60, 60), line(1, 53.5, 53.5, 7)] }
    expect(judge(record(gross))).to.deep.include({ adds: true, linesGive: 'total_amount', rates: true })
    expect(judge(record({ ...gross, total_tax: 15.75, subtotal: 97.75 }))).to.deep.include({ linesGive: 'total_amount', rates: false })
  })

  it('a rule that fails weighs more than two that hold', () => {
    const plain = { line_items: [] }
    const wrong = { ...plain, total_amount: 125, taxes: [{ rate: null, base: 100, amount: 20 }] }
    expect(judge(record(wrong))).to.deep.include({ total: false, taxes: true, bases: true })
    expect(judge(record(wrong)).score).to.be.below(judge(record(plain)).score)
  })

  it('lines with tax give the total, when prices include it or nobody says so', () => {
    const gross = { line_items: [line(2, 30, 60), line(1, 60, 60)] }
    expect(judge(record(gross))).to.deep.include({ adds: true, linesGive: 'total_amount', rates: true })
    expect(judge(record({ ...gross, prices_include_tax: true })).adds).to.equal(true)
    expect(judge(record({ ...gross, prices_include_tax: false }))).to.deep.include({ adds: false, lines: false })
  })

  it('discounts and charges of the whole document stand between lines and subtotal', () => {
    expect(judge(record({ subtotal: 90, total_tax: 18, total_amount: 108, adjustment: -10 })).adds).to.equal(true)
    expect(judge(record({ subtotal: 90, total_tax: 18, total_amount: 108 })).lines).to.equal(false)
  })

  it('a discount of a line is already in its total', () => {
    const reduced = { ...line(2, 30, 50), adjustment: -10 }
    expect(judge(record({ line_items: [reduced, line(1, 50, 50)] })).each).to.deep.equal([true, true])
  })

  it('a total alone, or one that nothing confirms, does not add up', () => {
    expect(judge(record({ subtotal: null, total_tax: null, line_items: [] })).adds).to.equal(false)
    expect(judge(record({ total_amount: null })).adds).to.equal(false)
  })

  it('rounding is allowed by the unit of the currency, and by the digits of a price', () => {
    expect(judge(record({ total_tax: 20.01 })).total).to.equal(true)
    expect(judge(record({ total_tax: 20.02 })).total).to.equal(false)
    expect(judge(record({ currency: 'JPY', total_tax: 21 })).total).to.equal(true)
    expect(judge(record({ currency: 'JPY', total_tax: 22 })).total).to.equal(false)
    expect(judge(record({ currency: 'KWD', total_tax: 20.002 })).total).to.equal(false)
    expect(judge(record({ line_items: [line(1000, 0.03, 33), line(1, 67, 67)] })).each).to.deep.equal([true, true])
    expect(judge(record({ line_items: [line(3, 11, 35), line(1, 65, 65)] })).each).to.deep.equal([false, true])
  })

  it('a total is rounded to coins where coins are so', () => {
    const swiss = { currency: 'CHF', subtotal: 100.02, total_tax: 8.1, total_amount: 108.1, line_items: [] }
    expect(judge(record(swiss)).total).to.equal(true)
    expect(judge(record({ ...swiss, currency: 'EUR' })).total).to.equal(false)
    expect(judge(record({ currency: 'EUR', total_amount: 120.4, rounding: 0.4 })).total).to.equal(true)
  })

  it('the total that is read wrong is left out, the two that lines and rates confirm are kept', () => {
    const { record: left, notes } = kept({ total_amount: 720 })
    expect(left).to.deep.include({ subtotal: 100, total_tax: 20, total_amount: null })
    expect(notes).to.deep.equal([
      'The amounts do not add up: subtotal 100.00 and total_tax 20.00 are not total_amount 720.00; total_amount is left out.',
    ])
  })

  it('the tax that is read wrong is left out when the amount due confirms the total', () => {
    const { record: left } = kept({ total_tax: 26, prepaid: 20, amount_due: 100 })
    expect(left).to.deep.include({ subtotal: 100, total_tax: null, total_amount: 120 })
  })

  it('what nothing confirms is left out together', () => {
    const { record: left } = kept({ total_amount: 720, line_items: [] })
    expect(left).to.deep.include({ subtotal: null, total_tax: null, total_amount: null })
  })

  it('of a line whose parts contradict, quantity and price are left out when the lines give the subtotal, else its total too', () => {
    const sums = kept({ line_items: [line(3, 25, 50), line(1, 50, 50)] })
    expect(sums.record.line_items[0]).to.deep.include({ quantity: null, unit_price: null, total_amount: 50 })
    expect(sums.notes).to.deep.equal(['line_items[0]: quantity and unit_price do not give its total_amount and are left out.'])
    const wrong = kept({ line_items: [line(3, 25, 80), line(1, 50, 50)] })
    expect(wrong.record.line_items.map((each) => each.total_amount)).to.deep.equal([null, 50])
    expect(wrong.record).to.deep.include({ subtotal: 100, total_tax: 20, total_amount: 120 })
    expect(wrong.notes).to.include('The line items add up to 130.00, not to the subtotal 100.00: some may be missing or wrong.')
  })

  it('a missing line leaves the others that hold by themselves, and takes totals that nothing confirms', () => {
    const { record: left } = kept({ line_items: [line(2, 25, 50), line(null, null, 20)] })
    expect(left.line_items.map((each) => each.total_amount)).to.deep.equal([50, null])
  })

  it('rates that do not give the tax are left out when the totals hold', () => {
    const { record: left, notes } = kept({ line_items: [line(2, 25, 50, 7), line(1, 50, 50, 7)] })
    expect(left.line_items.map((each) => each.tax_rate)).to.deep.equal([null, null])
    expect(left.total_tax).to.equal(20)
    expect(notes).to.have.lengthOf(1)
  })

  it('several rates are added by line', () => {
    const lines = [line(2, 25, 50, 20), line(1, 50, 50, 10)]
    expect(judge(record({ total_tax: 15, total_amount: 115, line_items: lines }))).to.deep.include({ adds: true, rates: true })
    expect(judge(record({ line_items: lines }))).to.deep.include({ adds: false, rates: false })
  })

  it('the subtotal follows from total and tax, a total or a tax that nobody states does not; the breakdown gives its sums, and its only rate stands in every line', () => {
    const taxes = [{ rate: 20, base: 100, amount: 20 }]
    expect(completed(record({ total_tax: null }))).to.deep.include({ total_tax: null })
    expect(completed(record({ subtotal: null, taxes: [] }))).to.deep.include({ subtotal: 100 })
    expect(completed(record({ total_amount: null, rounding: 0.4 })).total_amount).to.equal(null)
    const whole = completed(record({ subtotal: null, total_tax: null, taxes, line_items: [line(2, 25, 50, null)] }))
    expect(whole).to.deep.include({ subtotal: 100, total_tax: 20 })
    expect(whole.line_items[0]?.tax_rate).to.equal(20)
    expect(completed(record({ subtotal: null, total_tax: null })).subtotal).to.equal(null)
  })

  it('a credit note is negative, whichever signs it prints', () => {
    const expected = { subtotal: -100, total_tax: -20, total_amount: -120 }
    const positive = completed(record({ document_type: 'credit_note', taxes: [{ rate: 20, base: 100, amount: 20 }] }))
    expect(positive).to.deep.include({ ...expected, taxes: [{ rate: 20, base: -100, amount: -20 }] })
    expect(positive.line_items[0]).to.deep.include({ quantity: -2, unit_price: 25, total_amount: -50 })
    const mixed = completed(record({ document_type: 'credit_note', ...expected }))
    expect(mixed).to.deep.equal({ ...positive, taxes: [] })
    expect(completed(mixed)).to.deep.equal(mixed)
    expect(judge(mixed).adds).to.equal(true)
    expect(Object.is(completed(record({ document_type: 'credit_note', total_tax: 0, total_amount: 100 })).total_tax, -0)).to.equal(false)
  })
})
