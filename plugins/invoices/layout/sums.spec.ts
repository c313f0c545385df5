import { expect } from 'chai'
import { pageOf, tableAt } from '../../../test/support/invoice-page.js'
import { readingOf } from './invoice.js'
import type { Invoice } from './types.js'

type Rows = readonly (readonly string[])[]

/** An item table with the labels and amounts printed below it. */
function invoiceOf(table: Rows, sums: Rows): Invoice | null {
  return readingOf([pageOf([...tableAt(200, [60, 300, 380, 480], table), ...tableAt(200 + table.length * 16, [260, 480], sums)])]).invoice
}

const amountsOf = (invoice: Invoice | null): unknown[] => [invoice?.subtotal, invoice?.total_tax, invoice?.total_amount]
const linesOf = (invoice: Invoice | null): unknown[] | undefined =>
  invoice?.line_items.map(({ description, quantity, unit_price, total_amount }) => [description, quantity, unit_price, total_amount])

const ENGLISH = ['Description', 'Qty', 'Unit price', 'Amount']
const NORWEGIAN = ['Beskrivelse', 'Antall', 'Pris', 'Beløp']
const POLISH = ['Nazwa', 'Ilość', 'Cena netto', 'Wartość netto']

describe('the sums of a printed invoice', () => {
  describe('a currency between label and amount that the label may end in as well', () => {
    const goods = (headings: readonly string[], price: string, amount: string): Rows => [headings, ['Merlin A4', '2', price, amount]]
    for (const [form, table, sums, amounts] of [
      [
        'Å betale NOK, after a fee and rounding',
        goods(NORWEGIAN, '7 700,-', '15 400,-'),
        [
          ['Sum eks. mva', '15 400,-'],
          ['Miljøgebyr', '150,-'],
          ['MVA 25%', '3 887,50'],
          ['Øreavrunding', '0,50'],
          ['Å betale NOK', '19 438,-'],
        ],
        [15400, 3887.5, 19438],
      ],
      [
        'Total USD',
        goods(ENGLISH, '450.00', '900.00'),
        [
          ['Subtotal', '900.00'],
          ['Sales tax 8%', '72.00'],
          ['Total USD', '972.00'],
        ],
        [900, 72, 972],
      ],
      [
        'Razem PLN',
        goods(POLISH, '450,00', '900,00'),
        [
          ['Razem netto', '900,00'],
          ['VAT 23%', '207,00'],
          ['Razem PLN', '1 107,00'],
        ],
        [900, 207, 1107],
      ],
      [
        'Summe EUR, with the amount after a gap',
        goods(['Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamt'], '450,00', '900,00'),
        [
          ['Netto', '900,00'],
          ['MwSt. 19 %', '171,00'],
          ['Summe EUR', '1.071,00'],
        ],
        [900, 171, 1071],
      ],
    ] as const)
      it(`gives the total of ${form}`, () => {
        const invoice = invoiceOf(table, sums)
        expect(amountsOf(invoice)).to.deep.equal(amounts)
        expect(invoice?.notes).to.deep.equal([])
      })
  })

  describe('goods that are named as charges and sums are', () => {
    it('keeps transport with quantity and price a line, before a discount of the whole (Norwegian)', () => {
      const invoice = invoiceOf(
        [NORWEGIAN, ['Leie av lift', '3', '4 800,00', '14 400,00'], ['Transport', '2', '950,00', '1 900,00']],
        [
          ['Rabatt 10%', '-1 630,00'],
          ['Netto', '14 670,00'],
          ['Merverdiavgift 25%', '3 667,50'],
          ['Totalt', '18 337,50'],
          ['Depositum betalt', '-5 000,00'],
          ['Gjenstår å betale', '13 337,50'],
        ],
      )
      expect(amountsOf(invoice)).to.deep.equal([14670, 3667.5, 18337.5])
      expect(linesOf(invoice)).to.deep.equal([
        ['Leie av lift', 3, 4800, 14400],
        ['Transport', 2, 950, 1900],
      ])
      expect(invoice).to.include({ prepaid: 5000, amount_due: 13337.5 })
    })

    it('keeps transport a line before a deposit that bears no tax (Polish)', () => {
      const invoice = invoiceOf(
        [POLISH, ['Okno drewniane', '7', '1 450,00', '10 150,00'], ['Transport', '1', '350,00', '350,00']],
        [
          ['Razem netto', '10 500,00'],
          ['VAT 23%', '2 415,00'],
          ['Kaucja za palety', '200,00'],
          ['Razem do zapłaty', '13 115,00'],
        ],
      )
      expect(amountsOf(invoice)).to.deep.equal([10500, 2415, 13115])
      expect(linesOf(invoice)).to.deep.equal([
        ['Okno drewniane', 7, 1450, 10150],
        ['Transport', 1, 350, 350],
      ])
    })

    it('keeps a deposit and insurance lines when they are sold by number (English)', () => {
      const invoice = invoiceOf(
        [ENGLISH, ['Deposit', '4', '25.00', '100.00'], ['Van hire', '2', '80.00', '160.00'], ['Insurance', '2', '12.50', '25.00']],
        [
          ['Subtotal', '285.00'],
          ['VAT 20%', '57.00'],
          ['Total', '342.00'],
        ],
      )
      expect(amountsOf(invoice)).to.deep.equal([285, 57, 342])
      expect(linesOf(invoice)?.map((line) => (line as unknown[])[0])).to.deep.equal(['Deposit', 'Van hire', 'Insurance'])
    })

    it('keeps a charge or a discount between goods a line, and one behind the last goods a charge (German)', () => {
      const invoice = invoiceOf(
        [
          ['Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamt'],
          ['Regal', '2', '100,00', '200,00'],
          ['Versandkosten', '', '', '15,00'],
          ['Rabatt', '', '', '-20,00'],
          ['Schrank', '1', '300,00', '300,00'],
          ['Verpackung', '', '', '5,00'],
        ],
        [
          ['Nettobetrag', '500,00'],
          ['MwSt. 19 %', '95,00'],
          ['Rechnungsbetrag', '595,00'],
        ],
      )
      expect(amountsOf(invoice)).to.deep.equal([500, 95, 595])
      expect(linesOf(invoice)).to.deep.equal([
        ['Regal', 2, 100, 200],
        ['Versandkosten', null, null, 15],
        ['Rabatt', null, null, -20],
        ['Schrank', 1, 300, 300],
      ])
      expect(invoice?.adjustment).to.equal(5)
    })

    it('takes no row of sums for goods whose figures happen to be a product', () => {
      const invoice = invoiceOf([ENGLISH, ['Audit', '1', '50.00', '50.00']], [['Total', '1 9.00 9.00 59.00']])
      expect(linesOf(invoice)).to.deep.equal([['Audit', 1, 50, 50]])
      expect(invoice?.total_amount).to.equal(59)
    })
  })

  describe('what stands between the lines and the subtotal at a label that no list has', () => {
    for (const [form, sums, adjustment] of [
      [
        'a fund of lawyers (Italian)',
        [
          ['Onorari', '1.500,00'],
          ['Cassa Avvocati 4%', '60,00'],
          ['Imponibile', '1.560,00'],
          ['IVA 22%', '343,20'],
          ['Totale fattura', '1.903,20'],
          ["Ritenuta d'acconto 20%", '-300,00'],
          ['Netto a pagare', '1.603,20'],
        ],
        60,
      ],
      [
        'a levy (German)',
        [
          ['Leistungen', '1.500,00'],
          ['Klimabeitrag', '60,00'],
          ['Nettobetrag', '1.560,00'],
          ['MwSt. 19 %', '296,40'],
          ['Rechnungsbetrag', '1.856,40'],
        ],
        60,
      ],
      [
        'a concession, without a sign (French)',
        [
          ['Geste commercial', '60,00'],
          ['Total HT', '1.440,00'],
          ['TVA 20 %', '288,00'],
          ['Total TTC', '1.728,00'],
        ],
        -60,
      ],
    ] as const)
      it(`is the adjustment, and the lines are kept: ${form}`, () => {
        const invoice = readingOf([
          pageOf([
            ...tableAt(
              200,
              [60, 480],
              [
                ['Descrizione', 'Importo'],
                ['Consulenza contratto', '1.000,00'],
                ['Redazione atti', '500,00'],
              ],
            ),
            ...tableAt(270, [260, 480], sums),
          ]),
        ]).invoice
        expect(invoice?.adjustment).to.equal(adjustment)
        expect(invoice?.line_items.map(({ total_amount }) => total_amount)).to.deep.equal([1000, 500])
      })
  })

  describe('the total is what its label names, whatever else adds up', () => {
    for (const [form, goods, sums, total] of [
      [
        'a coupon and a tip on a Hungarian slip without tax',
        [
          ['2 x Lángos', '2 800,00'],
          ['3 x Limonádé', '2 070,00'],
        ],
        [
          ['Részösszeg', '4 870,00'],
          ['Kupon', '-500,00'],
          ['Borravaló', '600,00'],
          ['Végösszeg', '4 970,00 Ft'],
        ],
        4970,
      ],
      [
        'a tip on an English slip',
        [
          ['Soup', '12.00'],
          ['Bread', '8.00'],
        ],
        [
          ['Subtotal', '20.00'],
          ['Tip', '3.00'],
          ['Total', '23.00'],
        ],
        23,
      ],
      [
        'a charge that no list has',
        [
          ['Sopa', '12,00'],
          ['Pan', '8,00'],
        ],
        [
          ['Subtotal', '20,00'],
          ['Pernoctación', '3,00'],
          ['Total', '23,00'],
        ],
        23,
      ],
      [
        'a total that nothing explains',
        [
          ['Suppe', '12,00'],
          ['Brot', '8,00'],
        ],
        [
          ['Zwischensumme', '20,00'],
          ['Gesamtbetrag', '23,00'],
        ],
        23,
      ],
    ] as const)
      it(`with ${form}, and no tax is made of it`, () => {
        const page = pageOf([[60, 50, 'Brook Corner Ltd'], ...tableAt(100, [60, 300], goods), ...tableAt(160, [60, 300], sums)])
        const { invoice } = readingOf([page])
        expect(amountsOf(invoice).slice(1)).to.deep.equal([null, total])
        expect(invoice?.line_items).to.have.length(2)
      })

    for (const [form, sums] of [
      [
        'a code',
        [
          ['WELCOME20 (20% off)', '-39.40'],
          ['Sales tax (10%)', '15.76'],
          ['Total', '173.36'],
        ],
      ],
      [
        'words that no list has, without a sign',
        [
          ['Customer for life 20%', '39.40'],
          ['Sales tax (10%)', '15.76'],
          ['Total', '173.36'],
        ],
      ],
    ] as const)
      it(`takes the percentage of a deduction named by ${form} for no rate of the tax`, () => {
        const invoice = invoiceOf(
          [ENGLISH, ['Pro plan', '3', '49.00', '147.00'], ['Storage', '5', '10.00', '50.00']],
          [['Subtotal', '197.00'], ...sums],
        )
        expect(amountsOf(invoice)).to.deep.equal([197, 15.76, 173.36])
        expect(invoice?.taxes).to.deep.equal([{ rate: 10, base: null, amount: 15.76 }])
        expect(invoice?.line_items.map(({ tax_rate }) => tax_rate)).to.deep.equal([10, 10])
      })
  })
})
