import { expect } from 'chai'
import { pageOf, tableAt as table, type PlacedLine } from '../../../test/support/invoice-page.js'
import { readingOf } from './invoice.js'
import type { Page, Word } from './types.js'

const GERMAN: PlacedLine[] = [
  [60, 110, 'Sacher Elektro GmbH · Ringweg 11 · 50667 Köln'],
  [60, 130, 'Waldkontor AG'],
  [60, 142, 'Lindenstraße 14'],
  [60, 154, '24103 Kiel'],
  [360, 130, 'Rechnungs-Nr.: RE-2026-017'],
  [360, 142, 'Datum: 03.11.2026'],
  [360, 154, 'Fällig am: 17.11.2026'],
  ...table(
    260,
    [60, 90, 300, 380, 460],
    [
      ['Pos.', 'Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamt'],
      ['1', 'Strahler 30 W', '2 Stk', '50,00', '100,00'],
      ['', 'mit Halterung', '', '', ''],
      ['2', 'Montage', '1,5', '60,00', '90,00'],
    ],
  ),
  ...table(
    340,
    [300, 460],
    [
      ['Nettobetrag', '190,00 €'],
      ['zzgl. 19 % MwSt.', '36,10 €'],
      ['Rechnungsbetrag', '226,10 €'],
      ['abzgl. Anzahlung', '-26,10 €'],
      ['Restbetrag', '200,00 €'],
    ],
  ),
]

describe('an invoice by its layout', () => {
  it('reads a German letter with window, wrapped text and a prepayment', () => {
    const { invoice, language } = readingOf([pageOf(GERMAN)])
    expect(language).to.equal('de')
    expect(invoice).to.deep.include({
      invoice_number: 'RE-2026-017',
      date: '2026-11-03',
      due_date: '2026-11-17',
      supplier_name: 'Sacher Elektro GmbH',
      supplier_address: 'Ringweg 11, 50667 Köln',
      customer_name: 'Waldkontor AG',
      currency: 'EUR',
      subtotal: 190,
      total_tax: 36.1,
      total_amount: 226.1,
      prepaid: 26.1,
      amount_due: 200,
    })
    expect(
      invoice?.line_items.map(({ description, quantity, unit_price, total_amount, tax_rate }) => [
        description,
        quantity,
        unit_price,
        total_amount,
        tax_rate,
      ]),
    ).to.deep.equal([
      ['Strahler 30 W mit Halterung', 2, 50, 100, 19],
      ['Montage', 1.5, 60, 90, 19],
    ])
  })

  it('reads the same of a page that is a little askew', () => {
    const straight = pageOf(GERMAN, { confidence: 0.9 })
    const askew = { ...straight, words: straight.words.map((word) => ({ ...word, y: word.y + word.x * 0.008 })) }
    expect(readingOf([askew]).invoice).to.deep.equal(readingOf([straight]).invoice)
  })

  it('reads labels above their values, and amounts below theirs', () => {
    const { invoice } = readingOf([
      pageOf([
        [60, 60, 'Harbour Finch Ltd'],
        [60, 72, '14 Mill Lane'],
        [60, 84, 'Bristol BS1 4QA'],
        [60, 96, 'Tel: +44 20 7946 0123'],
        [60, 130, 'Bill to'],
        [60, 142, 'Tamar Instruments plc'],
        [60, 154, '3 Castle Street'],
        [60, 166, 'Leeds LS2 8PB'],
        ...table(
          200,
          [60, 200, 350],
          [
            ['Invoice number', 'Invoice date', 'Due date'],
            ['INV1042', '3 November 2026', '3 December 2026'],
          ],
        ),
        ...table(
          260,
          [60, 100, 300, 380, 460],
          [
            ['Qty', 'Description', 'VAT', 'Price', 'Amount'],
            ['3', 'Oak shelf', '20%', '£100.00', '£300.00'],
          ],
        ),
        ...table(
          330,
          [60, 200, 350],
          [
            ['Subtotal', 'VAT 20%', 'Total due'],
            ['£300.00', '£60.00', '£360.00'],
          ],
        ),
      ]),
    ])
    expect(invoice).to.deep.include({
      invoice_number: 'INV1042',
      date: '2026-11-03',
      due_date: '2026-12-03',
      supplier_name: 'Harbour Finch Ltd',
      customer_name: 'Tamar Instruments plc',
      currency: 'GBP',
      subtotal: 300,
      total_tax: 60,
      total_amount: 360,
    })
    expect(invoice?.line_items).to.have.length(1)
    expect(invoice?.line_items[0]).to.include({ description: 'Oak shelf', quantity: 3, unit_price: 100, total_amount: 300, tax_rate: 20 })
  })

  it('takes month and day as the United States write them', () => {
    const { invoice } = readingOf([
      pageOf([
        [60, 60, 'Invoice Date: 04/05/2026'],
        [60, 80, 'Due Date: 05/05/2026'],
        [60, 120, 'Total Due $ 90.00'],
      ]),
    ])
    expect(invoice).to.include({ date: '2026-04-05', due_date: '2026-05-05', currency: 'USD', total_amount: 90 })
  })

  it('puts an amount right that recognition got wrong, by what the others add up to', () => {
    const wrong = GERMAN.map(([x, y, text]): PlacedLine => [x, y, text === '226,10 €' ? '22G,10 €' : text === '100,00' ? '160,00' : text])
    const { invoice } = readingOf([pageOf(wrong, { confidence: 0.9 })])
    expect(invoice).to.include({ subtotal: 190, total_tax: 36.1, total_amount: 226.1 })
    expect(invoice?.line_items[0]?.total_amount).to.equal(100)
  })

  it('goes on over pages, and leaves out what is carried forward', () => {
    const head = ['Description', 'Qty', 'Price', 'Amount']
    const first = pageOf([
      [60, 40, 'Invoice no. 77-12'],
      ...table(100, [60, 300, 380, 460], [head, ['Paper', '2', '10.00', '20.00'], ['Carried forward', '', '', '20.00']]),
    ])
    const second = pageOf(
      [
        ...table(60, [60, 300, 380, 460], [['Brought forward', '', '', '20.00']]),
        ...table(100, [60, 300, 380, 460], [head, ['Ink', '1', '30.00', '30.00']]),
        ...table(
          200,
          [300, 460],
          [
            ['Subtotal', '50.00'],
            ['VAT 20%', '10.00'],
            ['Total', '60.00'],
          ],
        ),
      ],
      { page: 2 },
    )
    const { invoice } = readingOf([first, second])
    expect(invoice?.line_items.map(({ description }) => description)).to.deep.equal(['Paper', 'Ink'])
    expect(invoice).to.include({ invoice_number: '77-12', subtotal: 50, total_amount: 60 })
  })

  for (const [name, sums, expected] of [
    ['freight', ['Subtotal 200.00', 'Shipping & handling 15.00', 'Sales tax 6.25% 12.50', 'Total $227.50'], [200, 12.5, 227.5]],
    ['a tip', ['Subtotal 200.00', 'Tax 16.00', 'Tip 30.00', 'Total $246.00'], [200, 16, 246]],
    [
      'a coupon at a label that no list has',
      ['Subtotal 200.00', 'HARVEST24 -20.00', 'Sales tax 10% 18.00', 'Total $198.00'],
      [200, 18, 198],
    ],
    [
      'a discount whose minus stands before the sign',
      ['Subtotal $200.00', 'Discount (10% off) -$20.00', 'Sales tax (10%) $18.00', 'Total $198.00'],
      [200, 18, 198],
    ],
    ['two taxes of one rate', ['Taxable Value 200.00', 'CGST @ 9% 18.00', 'SGST @ 9% 18.00', 'Total 236.00'], [200, 36, 236]],
    ['amounts that do not add up', ['Subtotal 200.00', 'Sales tax 10% 20.00', 'Total $231.70'], [200, 20, 231.7]],
  ] as const)
    it(`F1 F2 the printed total is given with ${name} before it`, () => {
      const { invoice } = readingOf([
        pageOf([
          [60, 40, 'Invoice no. 77-12'],
          ...table(
            100,
            [60, 300, 380, 460],
            [
              ['Description', 'Qty', 'Price', 'Amount'],
              ['Oak shelf', '2', '100.00', '200.00'],
            ],
          ),
          ...sums.map((text, at): PlacedLine => [300, 160 + at * 16, text]),
        ]),
      ])
      expect([invoice?.subtotal, invoice?.total_tax, invoice?.total_amount]).to.deep.equal(expected)
      expect(invoice?.line_items).to.have.length(1)
    })

  for (const [form, sender, receiver] of [
    ['a guest with a title', ['Hotel Am Hafen GmbH', 'Kaistr. 1, 20459 Hamburg'], ['Frau Erika Beispiel', 'Weg 1, 01067 Dresden']],
    ['a guest without a title', ['Pension Seeblick e.K.', 'Uferweg 3, 18375 Prerow'], ['Max Beispiel', 'Weg 1', '01067 Dresden']],
    ['a traveller', ['Harbour Inn Ltd', '2 Quay Road', 'Bristol BS1 4QA'], ['Mrs Ann Sample', '9 Hill Lane', 'Leeds LS2 8PB']],
    ['a family abroad', ['Hôtel du Port SARL', '4 quai Ouest, 29200 Brest'], ['Mme Claire Exemple', '8 rue Haute', '1000 Bruxelles']],
    ['a company', ['Alloggi Riva S.r.l.', 'Via Lago 5, 25019 Sirmione'], ['Esempio S.p.A.', 'Via Roma 1', '20121 Milano']],
  ] as const)
    it(`F1 the supplier is the company on top and not ${form} below it`, () => {
      const { invoice } = readingOf([
        pageOf([
          ...sender.map((text, at): PlacedLine => [60, 50 + at * 12, text]),
          [300, 110, 'Nr. H-5512'],
          [300, 122, '09.03.2024'],
          ...receiver.map((text, at): PlacedLine => [60, 150 + at * 12, text]),
          ...table(
            220,
            [60, 300, 380, 460],
            [
              ['Leistung', 'Menge', 'Preis', 'Betrag'],
              ['Doppelzimmer', '2', '107,00', '214,00'],
            ],
          ),
          [300, 280, 'Gesamtbetrag EUR'],
          [460, 280, '214,00'],
        ]),
      ])
      expect(invoice).to.include({ supplier_name: sender[0], supplier_address: sender.slice(1).join(', '), total_amount: 214 })
      expect(invoice?.customer_name).to.equal(receiver[0])
    })

  it('reads a receipt without headings', () => {
    const { invoice } = readingOf([
      pageOf([
        [60, 20, 'Kwiaciarnia Magnolia'],
        [60, 32, 'ul. Polna 7'],
        [60, 44, '31-146 Kraków'],
        [20, 70, 'Paragon nr 4711/2026'],
        [20, 82, '2026-07-22 14:32'],
        ...table(
          110,
          [20, 160],
          [
            ['Bukiet', '40,00'],
            ['Wazon', ''],
            ['2 x 15,00', '30,00'],
          ],
        ),
        ...table(
          180,
          [20, 160],
          [
            ['SUMA PLN', '70,00'],
            ['VAT 23%', '13,09'],
          ],
        ),
      ]),
    ])
    expect(invoice).to.deep.include({
      document_type: 'receipt',
      invoice_number: '4711/2026',
      date: '2026-07-22',
      supplier_name: 'Kwiaciarnia Magnolia',
      customer_name: null,
      currency: 'PLN',
      total_tax: 13.09,
      total_amount: 70,
      prices_include_tax: true,
    })
    expect(invoice?.line_items.map(({ description, quantity, total_amount }) => [description, quantity, total_amount])).to.deep.equal([
      ['Bukiet', null, 40],
      ['Wazon', 2, 30],
    ])
  })

  it('finds nothing where there is nothing', () => {
    expect(readingOf([]).invoice).to.equal(null)
    expect(readingOf([pageOf([[60, 60, 'A letter without any figures']])]).invoice).to.equal(null)
  })

  describe('a hostile page', () => {
    const within = (pages: readonly Page[]): number => {
      const began = process.cpuUsage()
      readingOf(pages)
      const { user, system } = process.cpuUsage(began)
      return (user + system) / 1_000
    }
    const many = (count: number, word: (at: number) => Partial<Word> & { text: string }): Page => ({
      ...{ page: 1, width: 595, height: 842 },
      words: Array.from({ length: count }, (_, at) => ({
        x: (at % 50) * 11,
        y: Math.floor(at / 50) * 11,
        width: 10,
        height: 10,
        line: at,
        block: at,
        ...word(at),
      })),
    })
    const pages: readonly [string, readonly Page[]][] = [
      ['50,000 amounts', [many(50_000, (at) => ({ text: `${String(at % 977)},${String(10 + (at % 90))}` }))]],
      ['10,000 labels of totals, each with an amount', [many(20_000, (at) => ({ text: at % 2 === 0 ? 'Total' : `${String(at)},50` }))]],
      ['50,000 words on one line', [many(50_000, (at) => ({ text: 'Invoice', y: 10, x: at * 11 }))]],
      ['50,000 words on one place', [many(50_000, () => ({ text: 'Total:1,00', x: 10, y: 10 }))]],
      [
        '500 pages of headings',
        Array.from({ length: 500 }, (_, page) => ({
          ...many(100, (at) => ({ text: ['Description', 'Qty', 'Price', 'Total'][at % 4] ?? '' })),
          page: page + 1,
        })),
      ],
      [
        '30 pages of addresses',
        Array.from({ length: 30 }, (_, page) => ({
          ...many(6_000, (at) => ({ text: ['10115', 'Berlin', 'Hauptstr.', '5,'][at % 4] ?? '' })),
          page: page + 1,
        })),
      ],
      ['words of 100,000 letters', [many(20, () => ({ text: '1'.repeat(100_000) })), many(20, () => ({ text: 'a-'.repeat(50_000) }))]],
    ]
    for (const [name, list] of pages)
      it(`of ${name} takes a bounded time`, () => {
        expect(within(list)).to.be.lessThan(15_000)
      })
  })
})
