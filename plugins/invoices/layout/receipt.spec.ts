import { expect } from 'chai'
import { pageOf, tableAt } from '../../../test/support/invoice-page.js'
import { readingOf } from './invoice.js'
import type { Invoice } from './types.js'

type Rows = readonly (readonly [text: string, amount: string])[]

function slipOf(rows: Rows, { recognised = false }: { recognised?: boolean } = {}): Invoice | null {
  // Amounts are right-aligned.
  const placed = rows.map(([text, amount]) => [60, 300 - amount.length * 5, text, amount] as const)
  const lines = placed.flatMap(([left, right, text, amount], at) => [
    ...tableAt(100 + at * 14, [left], [[text]]),
    ...tableAt(100 + at * 14, [right], [[amount]]),
  ])
  return readingOf([pageOf([[60, 50, 'Brook Corner'], ...lines], recognised ? { confidence: 0.9 } : {})]).invoice
}

const linesOf = (invoice: Invoice | null): unknown[] | undefined =>
  invoice?.line_items.map(({ description, quantity, unit_price, total_amount }) => [description, quantity, unit_price, total_amount])

describe('a receipt', () => {
  const plain: Readonly<Record<string, readonly [rows: Rows, total: number | null]>> = {
    'Lithuanian, whose total no list names': [
      [
        ['Kava', '5,00'],
        ['Pyragas', '4,50'],
        ['Iš viso', '9,50'],
      ],
      null,
    ],
    'Latvian, with a tax below': [
      [
        ['Kafija', '2,50'],
        ['Kūka', '3,00'],
        ['Kopā', '5,50'],
        ['PVN 21%', '0,95'],
      ],
      null,
    ],
    'Croatian, paid in cash': [
      [
        ['Kava', '2,50'],
        ['Torta', '3,00'],
        ['Ukupno', '5,50'],
        ['Gotovina', '10,00'],
        ['Povrat', '4,50'],
      ],
      null,
    ],
    'of three texts': [
      [
        ['Kohv', '2,50'],
        ['Kook', '3,00'],
        ['Vesi', '1,20'],
        ['Kokku', '6,70'],
      ],
      null,
    ],
    'with one text twice': [
      [
        ['Kava', '5,00'],
        ['Kava', '5,00'],
        ['Iš viso', '10,00'],
      ],
      null,
    ],
    'whose last text costs what the others do': [
      [
        ['Caffè', '1,20'],
        ['Latte', '1,20'],
        ['Panino', '2,40'],
        ['Totale', '4,80'],
      ],
      4.8,
    ],
    French: [
      [
        ['Café', '2,50€'],
        ['Thé', '3,00€'],
        ['Total', '5,50€'],
      ],
      5.5,
    ],
  }
  for (const [form, [rows, total]] of Object.entries(plain))
    for (const recognised of [false, true])
      it(`keeps every short line: ${form}, ${recognised ? 'recognised' : 'text'}`, () => {
        const invoice = slipOf(rows, { recognised })
        const goods = rows.slice(
          0,
          rows.findIndex(([text]) => /^(?:Iš viso|Kopā|Ukupno|Kokku|Total)/.test(text)),
        )
        expect(linesOf(invoice)).to.deep.equal(
          goods.map(([text, amount]) => [text, null, null, Number(amount.replace('€', '').replace(',', '.'))]),
        )
        expect(invoice?.total_amount).to.equal(total)
      })

  it('cuts the tax and the total of an unknown language off, where the tax is of a rate that some country has', () => {
    expect(
      linesOf(
        slipOf([
          ['Stalas', '100,00'],
          ['Kėdė', '50,00'],
          ['PVM', '31,50'],
          ['Iš viso', '181,50'],
        ]),
      ),
    ).to.deep.equal([
      ['Stalas', null, null, 100],
      ['Kėdė', null, null, 50],
    ])
  })

  describe('in whole amounts', () => {
    for (const [form, rows, lines, total] of [
      [
        'Japanese',
        [
          ['コーヒー', '450'],
          ['ケーキ', '500'],
          ['合計', '¥950'],
        ],
        [
          ['コーヒー', null, null, 450],
          ['ケーキ', null, null, 500],
        ],
        950,
      ],
      [
        'Hungarian',
        [
          ['Lángos', '1 400 Ft'],
          ['Limonádé', '690 Ft'],
          ['Összesen', '2 090 Ft'],
        ],
        [
          ['Lángos', null, null, 1400],
          ['Limonádé', null, null, 690],
        ],
        2090,
      ],
      [
        'Czech',
        [
          ['Káva', '45'],
          ['Dort', '60'],
          ['Celkem', '105 Kč'],
        ],
        [
          ['Káva', null, null, 45],
          ['Dort', null, null, 60],
        ],
        105,
      ],
      [
        'Icelandic, with sizes in the texts',
        [
          ['Skyr 500 g', '420'],
          ['2 x Kaffi', '900'],
          ['Total', '1.320 kr'],
        ],
        [
          ['Skyr 500 g', null, null, 420],
          ['Kaffi', 2, null, 900],
        ],
        1320,
      ],
    ] as const)
      it(`is read: ${form}`, () => {
        const invoice = slipOf(rows)
        expect(linesOf(invoice)).to.deep.equal(lines)
        expect(invoice?.total_amount).to.equal(total)
      })
  })

  describe('with quantities', () => {
    for (const [form, rows, lines] of [
      [
        'before the text, marked',
        [
          ['2 x Espresso', '5,00'],
          ['1x Cornetto', '1,50'],
        ],
        [
          ['Espresso', 2, null, 5],
          ['Cornetto', 1, null, 1.5],
        ],
      ],
      [
        'before the text, with a unit',
        [
          ['2 vnt. Kava', '5,00'],
          ['3 db Lángos', '4,50'],
        ],
        [
          ['Kava', 2, null, 5],
          ['Lángos', 3, null, 4.5],
        ],
      ],
      [
        'behind the text',
        [
          ['Tea x2', '5,00'],
          ['Crisps 3x', '1,50'],
          ['Kava 2 vnt.', '3,00'],
        ],
        [
          ['Tea', 2, null, 5],
          ['Crisps', 3, null, 1.5],
          ['Kava', 2, null, 3],
        ],
      ],
      [
        'without a mark',
        [
          ['2 Caffè', '2,40'],
          ['1 Cornetto', '1,50'],
        ],
        [
          ['Caffè', 2, null, 2.4],
          ['Cornetto', 1, null, 1.5],
        ],
      ],
      [
        'and a price below',
        [
          ['2 x Wartung', '12,06'],
          ['Bad', '3,00'],
        ],
        [
          ['Wartung', 2, null, 12.06],
          ['Bad', null, null, 3],
        ],
      ],
    ] as const)
      for (const recognised of [false, true])
        it(`reads those ${form}, and makes no price that is not printed, ${recognised ? 'recognised' : 'text'}`, () => {
          expect(linesOf(slipOf([...rows, ['Total', '99,00']], { recognised }))).to.deep.equal(lines)
        })

    it('finds a price that recognition lost where other lines have one', () => {
      const rows: Rows = [
        ['2 x Espresso 1,20', '2,40'],
        ['4 x Cornetto l.s', '6,00'],
        ['Totale', '8,40'],
      ]
      const prices = (recognised: boolean) =>
        slipOf(rows, { recognised })?.line_items.map(({ quantity, unit_price }) => [quantity, unit_price])
      expect(prices(true)).to.deep.equal([
        [2, 1.2],
        [4, 1.5],
      ])
      expect(prices(false)).to.deep.equal([
        [2, 1.2],
        [4, null],
      ])
    })

    it('takes positions, a number in a name and the size of a pack for none', () => {
      expect(
        linesOf(
          slipOf([
            ['1 Tea', '2.50'],
            ['2 Crisps', '1.50'],
            ['Total', '4.00'],
          ]),
        ),
      ).to.deep.equal([
        ['Tea', null, null, 2.5],
        ['Crisps', null, null, 1.5],
      ])
      expect(
        linesOf(
          slipOf([
            ['7 Up', '2.50'],
            ['Flour 1 kg', '1.50'],
            ['Total', '4.00'],
          ]),
        ),
      ).to.deep.equal([
        ['7 Up', null, null, 2.5],
        ['Flour 1 kg', null, null, 1.5],
      ])
    })
  })

  it('gives a bare word for a sum as the total where the tax below is in it, and as the subtotal where it comes on top', () => {
    const goods: Rows = [
      ['Espresso', '2,60'],
      ['Wasser', '2,40'],
    ]
    expect(slipOf([...goods, ['Summe', '5,00'], ['inkl. 19 % MwSt', '0,80']])).to.deep.include({
      total_tax: 0.8,
      total_amount: 5,
      notes: [],
    })
    expect(slipOf([...goods, ['Suma', '5,00'], ['VAT 23%', '0,93']])).to.deep.include({ total_tax: 0.93, total_amount: 5, notes: [] })
    expect(slipOf([...goods, ['Summe', '5,00'], ['19 % MwSt', '0,95']])).to.deep.include({
      subtotal: 5,
      total_tax: 0.95,
      total_amount: null,
    })
  })
})
