import { expect } from 'chai'
import { percentOf, printedCurrency, printedNumber } from './vendor-values.js'

describe('invoices: values as vendors find them in print', () => {
  for (const [kind, forms] of Object.entries({
    'a comma': { '100,00': 100, '20,5': 20.5, '0,125': 0.125 },
    grouping: { '1.200,00': 1200, '1,200.00': 1200, "1'234.50": 1234.5, '1’234.50': 1234.5, '1 234,56': 1234.56, '2,95,000.00': 295000 },
    'narrow, wide and no blanks': { '12\u202f345,60': 12345.6, '1\u00a0234,56': 1234.56, '１，２３４．５０': 1234.5 },
    'the sign or code of a currency': {
      '€ 1.200,00': 1200,
      '$99.90': 99.9,
      'EUR 5,00': 5,
      '12.00 CHF': 12,
      'Rs. 1,25,000.00': 125000,
      '500円': 500,
    },
    'a sign that stands close, or after': { 'US$1,234.50': 1234.5, '1 450,- kr': 1450, 'CHF 150.–': 150, '₹118.00': 118, '45,90zł': 45.9 },
    'a minus before or behind': {
      '-5,00': -5,
      '−5,00': -5,
      '12.00-': -12,
      '12,00 EUR-': -12,
      '-$12.00': -12,
      '$-12.00': -12,
      '12,00- €': -12,
    },
    brackets: { '(12.00)': -12, '($1,200.00)': -1200, '(1.200,00 €)': -1200, 'EUR (5,00)': -5 },
    'a unit': { '2 Stk.': 2, '2,5 h': 2.5, '12 m²': 12, '3.5 m3': 3.5, '4 pc(s)': 4, '3x': 3, 'Qty: 7': 7 },
    'a remark in brackets': { '120,00 EUR (inkl. MwSt.)': 120, '$ 20.00 (VAT)': 20 },
  } satisfies Record<string, Record<string, number>>))
    it(`V1 numbers with ${kind} are read`, () => {
      for (const [text, value] of Object.entries(forms)) expect(printedNumber(text), text).to.equal(value)
    })

  it('V1 the separator that the other amounts of the document have tells decimals from thousands', () => {
    expect([printedNumber('1,500', ','), printedNumber('1,500', '.'), printedNumber('1,500')]).to.deep.equal([1.5, 1500, 1500])
    expect([printedNumber('1.459 €/l', '.'), printedNumber('12.500 kg', ',')]).to.deep.equal([1.459, 12500])
  })

  it('V1 what is no single number is none', () => {
    for (const text of ['', 'n/a', '12,00 / 14,28', 'on request', '12.00.2026', '20 %', '1'.repeat(80), '-', '€', 7, null, undefined])
      expect(printedNumber(text), String(text)).to.equal(null)
  })

  it('V1 rates are read with a comma, a point, words, and the percent sign on either side', () => {
    for (const [text, rate] of Object.entries({
      ...{ '20 %': 20, '20': 20, '5,5%': 5.5, '8.1 %': 8.1, '%20': 20, 'VAT 20%': 20, 'MwSt. (19 %)': 19, '7,000 %': 7, '0 %': 0 },
      ...{ '21.000%': 21, '１０％': 10, 'IVA 22%': 22 },
    }))
      expect(percentOf(text), text).to.equal(rate)
    expect([percentOf(19), percentOf(Number.NaN)]).to.deep.equal([19, null])
    for (const text of ['S', '', '120 %', '-5 %', '7 / 19 %', null]) expect(percentOf(text), String(text)).to.equal(null)
  })

  it('V1 the currency is that of the print, unless several countries have its sign', () => {
    for (const [text, code] of Object.entries({
      ...{ '€ 1.200,00': 'EUR', '1.200,00€': 'EUR', 'EUR 5': 'EUR', '12.00 CHF': 'CHF', 'Rs. 1,25,000.00': 'INR', '₹118.00': 'INR' },
      ...{ '45,90 zł': 'PLN', '£9': 'GBP', 'R$ 10,00': 'BRL', '500円': 'JPY', '(€5.00)': 'EUR' },
    }))
      expect(printedCurrency(text), text).to.equal(code)
    for (const text of ['450,- kr', '12.00', '', 'Total', 'x'.repeat(90), null]) expect(printedCurrency(text), String(text)).to.equal(null)
  })
})
