import { expect } from 'chai'
import { pageOf, tableAt } from '../../../test/support/invoice-page.js'
import { readingOf } from './invoice.js'
import { VOCABULARIES } from './lexicon/vocabulary.js'
import { LANGUAGES, type Invoice, type Language } from './types.js'

interface Wording {
  readonly number: string
  readonly date: string
  readonly headings: readonly [description: string, quantity: string, price: string, amount: string]
  readonly subtotal: string
  readonly tax: string
  readonly total: string
}

interface Sample extends Wording {
  readonly rate: number
  readonly currency: string
  readonly sign: string
  /** Thousands and decimal separators; a language without decimals has no second one. */
  readonly marks: readonly [group: string, decimal: string]
}

/** Typical invoice wording in each language, chosen without regard to the lists. */
const SAMPLES: Readonly<Record<Language, Sample>> = {
  en: {
    ...{ number: 'Invoice number:', date: 'Invoice date:', headings: ['Description', 'Quantity', 'Unit price', 'Amount'] },
    ...{ subtotal: 'Subtotal', tax: 'VAT 20%', total: 'Total', rate: 20, currency: 'GBP', sign: 'GBP', marks: [',', '.'] },
  },
  de: {
    ...{ number: 'Rechnungsnummer:', date: 'Rechnungsdatum:', headings: ['Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamtpreis'] },
    ...{ subtotal: 'Nettobetrag', tax: 'MwSt. 19 %', total: 'Rechnungsbetrag', rate: 19, currency: 'EUR', sign: '€', marks: ['.', ','] },
  },
  fr: {
    ...{ number: 'Facture n° :', date: 'Date de facture :', headings: ['Désignation', 'Quantité', 'Prix unitaire', 'Montant'] },
    ...{ subtotal: 'Total HT', tax: 'TVA 20 %', total: 'Total TTC', rate: 20, currency: 'EUR', sign: '€', marks: [' ', ','] },
  },
  es: {
    ...{ number: 'Factura nº:', date: 'Fecha:', headings: ['Descripción', 'Cantidad', 'Precio', 'Importe'] },
    ...{ subtotal: 'Base imponible', tax: 'IVA 21 %', total: 'Total factura', rate: 21, currency: 'EUR', sign: '€', marks: ['.', ','] },
  },
  it: {
    ...{ number: 'Fattura n.', date: 'Data:', headings: ['Descrizione', 'Quantità', 'Prezzo', 'Importo'] },
    ...{ subtotal: 'Imponibile', tax: 'IVA 22%', total: 'Totale fattura', rate: 22, currency: 'EUR', sign: '€', marks: ['.', ','] },
  },
  nl: {
    ...{ number: 'Factuurnummer:', date: 'Factuurdatum:', headings: ['Omschrijving', 'Aantal', 'Prijs', 'Bedrag'] },
    ...{ subtotal: 'Subtotaal', tax: 'BTW 21%', total: 'Totaal incl. btw', rate: 21, currency: 'EUR', sign: '€', marks: ['.', ','] },
  },
  pt: {
    ...{ number: 'Fatura n.º', date: 'Data de emissão:', headings: ['Descrição', 'Quantidade', 'Preço', 'Valor'] },
    ...{ subtotal: 'Total sem IVA', tax: 'IVA 23%', total: 'Total a pagar', rate: 23, currency: 'EUR', sign: '€', marks: ['.', ','] },
  },
  pl: {
    ...{ number: 'Faktura VAT nr', date: 'Data wystawienia:', headings: ['Nazwa', 'Ilość', 'Cena netto', 'Wartość netto'] },
    ...{ subtotal: 'Razem netto', tax: 'VAT 23%', total: 'Razem brutto', rate: 23, currency: 'PLN', sign: 'zł', marks: [' ', ','] },
  },
  sv: {
    ...{ number: 'Fakturanummer:', date: 'Fakturadatum:', headings: ['Beskrivning', 'Antal', 'Pris', 'Belopp'] },
    ...{ subtotal: 'Summa exkl. moms', tax: 'Moms 25 %', total: 'Att betala', rate: 25, currency: 'SEK', sign: 'kr', marks: [' ', ','] },
  },
  no: {
    ...{ number: 'Fakturanr.:', date: 'Fakturadato:', headings: ['Beskrivelse', 'Antall', 'Pris', 'Beløp'] },
    ...{ subtotal: 'Sum eks. mva', tax: 'MVA 25 %', total: 'Å betale', rate: 25, currency: 'NOK', sign: 'kr', marks: [' ', ','] },
  },
  da: {
    ...{ number: 'Fakturanr.:', date: 'Fakturadato:', headings: ['Beskrivelse', 'Antal', 'Stykpris', 'Beløb'] },
    ...{
      subtotal: 'I alt ekskl. moms',
      tax: 'Moms 25 %',
      total: 'I alt inkl. moms',
      rate: 25,
      currency: 'DKK',
      sign: 'kr.',
      marks: ['.', ','],
    },
  },
  fi: {
    ...{ number: 'Laskun numero:', date: 'Laskun päivä:', headings: ['Kuvaus', 'Määrä', 'Hinta', 'Yhteensä'] },
    ...{ subtotal: 'Veroton yhteensä', tax: 'ALV 25,5 %', total: 'Maksettava yhteensä', rate: 25.5, currency: 'EUR', sign: '€' },
    marks: ['\u00a0', ','],
  },
  cs: {
    ...{ number: 'Číslo faktury:', date: 'Datum vystavení:', headings: ['Popis', 'Množství', 'Cena', 'Celkem'] },
    ...{
      subtotal: 'Základ daně',
      tax: 'DPH 21 %',
      total: 'Celkem k úhradě',
      rate: 21,
      currency: 'CZK',
      sign: 'Kč',
      marks: ['\u00a0', ','],
    },
  },
  sk: {
    ...{ number: 'Číslo faktúry:', date: 'Dátum vystavenia:', headings: ['Popis', 'Množstvo', 'Cena', 'Spolu'] },
    ...{ subtotal: 'Základ dane', tax: 'DPH 23 %', total: 'Celkom k úhrade', rate: 23, currency: 'EUR', sign: '€', marks: [' ', ','] },
  },
  hu: {
    ...{ number: 'Számlaszám:', date: 'Kelt:', headings: ['Megnevezés', 'Mennyiség', 'Egységár', 'Érték'] },
    ...{ subtotal: 'Nettó összesen', tax: 'ÁFA 27%', total: 'Bruttó összesen', rate: 27, currency: 'HUF', sign: 'Ft', marks: [' ', ','] },
  },
  ro: {
    ...{ number: 'Factura nr.', date: 'Data emiterii:', headings: ['Denumire', 'Cantitate', 'Preț', 'Valoare'] },
    ...{ subtotal: 'Total fără TVA', tax: 'TVA 21%', total: 'Total de plată', rate: 21, currency: 'RON', sign: 'lei', marks: ['.', ','] },
  },
  tr: {
    ...{ number: 'Fatura No:', date: 'Fatura Tarihi:', headings: ['Açıklama', 'Miktar', 'Birim Fiyat', 'Tutar'] },
    ...{ subtotal: 'Ara Toplam', tax: 'KDV (%20)', total: 'Genel Toplam', rate: 20, currency: 'TRY', sign: 'TL', marks: ['.', ','] },
  },
  el: {
    ...{ number: 'Αριθμός τιμολογίου:', date: 'Ημερομηνία:', headings: ['Περιγραφή', 'Ποσότητα', 'Τιμή', 'Αξία'] },
    ...{ subtotal: 'Καθαρή αξία', tax: 'ΦΠΑ 24%', total: 'Πληρωτέο', rate: 24, currency: 'EUR', sign: '€', marks: ['.', ','] },
  },
  uk: {
    ...{ number: 'Рахунок №', date: 'Дата:', headings: ['Найменування', 'Кількість', 'Ціна', 'Сума'] },
    ...{ subtotal: 'Разом без ПДВ', tax: 'ПДВ 20%', total: 'Усього з ПДВ', rate: 20, currency: 'UAH', sign: 'грн', marks: [' ', ','] },
  },
  ja: {
    ...{ number: '請求書番号:', date: '発行日:', headings: ['品目', '数量', '単価', '金額'] },
    ...{ subtotal: '小計', tax: '消費税(10%)', total: '合計', rate: 10, currency: 'JPY', sign: '円', marks: [',', ''] },
  },
}

/** Lines: count, unit price and their product, in the main unit. */
const GOODS = [
  ['Merlin A4', 6, 125, 750],
  ['Osprey B7', 2, 1480, 2960],
] as const
const SUBTOTAL = 3710

function printed(value: number, { marks: [group, decimal] }: Pick<Sample, 'marks'>): string {
  const [whole = '', cents = ''] = value.toFixed(2).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group)
  return decimal === '' ? grouped : `${grouped}${decimal}${cents}`
}

/** Tax on the subtotal, rounded to cents or, for currencies without decimals, to the unit. */
const taxOf = ({ rate, marks }: Pick<Sample, 'rate' | 'marks'>): number =>
  marks[1] === '' ? Math.round((SUBTOTAL * rate) / 100) : Math.round(SUBTOTAL * rate) / 100

/** A small invoice: facts at the top, a table of two lines, three totals. The labels of the totals may differ from the sample's. */
function invoiceIn(sample: Sample, other: Partial<Wording> = {}): Invoice | null {
  const { number, date, headings, subtotal, tax, total } = { ...sample, ...other }
  const amount = (value: number): string => printed(value, sample)
  const sum = (label: string, value: number): string[] => [label, `${amount(value)}${sample.sign === '円' ? '' : ' '}${sample.sign}`.trim()]
  return readingOf([
    pageOf([
      ...tableAt(
        60,
        [60, 220],
        [
          [number, 'AB-1207'],
          [date, '14.03.2026'],
        ],
      ),
      ...tableAt(
        200,
        [60, 300, 380, 480],
        [headings, ...GOODS.map(([text, count, price, product]) => [text, String(count), amount(price), amount(product)])],
      ),
      ...tableAt(290, [260, 470], [sum(subtotal, SUBTOTAL), sum(tax, taxOf(sample)), sum(total, SUBTOTAL + taxOf(sample))]),
    ]),
  ]).invoice
}

const amountsOf = (invoice: Invoice | null): unknown[] => [invoice?.subtotal, invoice?.total_tax, invoice?.total_amount]

describe('languages of printed invoices', () => {
  for (const language of LANGUAGES)
    it(`F2 the usual words of ${language} are read: subtotal, tax, total and the lines`, () => {
      const sample = SAMPLES[language]
      const invoice = invoiceIn(sample)
      expect(amountsOf(invoice)).to.deep.equal([SUBTOTAL, taxOf(sample), SUBTOTAL + taxOf(sample)])
      expect(invoice).to.include({ invoice_number: 'AB-1207', date: '2026-03-14', currency: sample.currency })
      expect(invoice?.notes).to.deep.equal([])
      expect(
        invoice?.line_items.map((line) => [line.description, line.quantity, line.unit_price, line.total_amount, line.tax_rate]),
      ).to.deep.equal(GOODS.map((goods) => [...goods, sample.rate]))
    })

  for (const language of LANGUAGES)
    it(`F2 every label of sums that the list of ${language} has is read beside the usual others`, () => {
      const sample = SAMPLES[language]
      const phrases = (field: 'subtotal' | 'tax' | 'total') => (VOCABULARIES[language].labels[field] ?? '').split('|')
      const [subtotals, taxes, totals] = [phrases('subtotal'), phrases('tax'), phrases('total')]
      for (let at = 0; at < Math.max(subtotals.length, taxes.length, totals.length); at++) {
        const other = {
          subtotal: subtotals[at] ?? sample.subtotal,
          tax: `${taxes[at] ?? sample.tax} ${String(sample.rate).replace('.', ',')} %`,
          total: totals[at] ?? sample.total,
        }
        const { subtotal, tax, total } = other
        expect(amountsOf(invoiceIn(sample, other)), `${subtotal} | ${tax} | ${total}`).to.deep.equal([
          SUBTOTAL,
          taxOf(sample),
          SUBTOTAL + taxOf(sample),
        ])
      }
    })

  for (const language of LANGUAGES)
    it(`reads prices and amounts with tax under every heading that the list of ${language} has for them`, () => {
      const sample = SAMPLES[language]
      const of = (kind: 'grossPrice' | 'gross') => (VOCABULARIES[language].headings[kind] ?? '').split('|')
      const [prices, amounts] = [of('grossPrice'), of('gross')]
      for (let at = 0; at < Math.max(prices.length, amounts.length); at++) {
        const headings = [...sample.headings.slice(0, 2), prices[at] ?? prices[0] ?? '', amounts[at] ?? amounts[0] ?? '']
        const rows = GOODS.map(([text, count, price, amount]) => [text, String(count), printed(price, sample), printed(amount, sample)])
        const { invoice } = readingOf([
          pageOf([
            ...tableAt(200, [40, 150, 230, 420], [headings, ...rows]),
            ...tableAt(290, [260, 470], [[sample.total, printed(SUBTOTAL, sample)]]),
          ]),
        ])
        expect(invoice, headings.join(' | ')).to.include({ total_amount: SUBTOTAL, prices_include_tax: true })
        expect(
          invoice?.line_items.map((line) => [line.description, line.quantity, line.unit_price, line.total_amount]),
          headings.join(' | '),
        ).to.deep.equal(GOODS)
      }
    })

  /** Labels in languages without a list. */
  const UNKNOWN: Readonly<Record<string, Pick<Wording, 'headings' | 'subtotal' | 'tax' | 'total'>>> = {
    Croatian: { headings: ['Opis', 'Količina', 'Cijena', 'Iznos'], subtotal: 'Osnovica', tax: 'PDV 25%', total: 'Ukupno za platiti' },
    Lithuanian: { headings: ['Pavadinimas', 'Kiekis', 'Kaina', 'Suma'], subtotal: 'Be PVM', tax: 'PVM 21%', total: 'Iš viso mokėti' },
    Estonian: { headings: ['Nimetus', 'Kogus', 'Hind', 'Maksumus'], subtotal: 'Summa km-ta', tax: 'Käibemaks 24%', total: 'Arve kokku' },
    Latvian: { headings: ['Nosaukums', 'Daudzums', 'Cena', 'Summa'], subtotal: 'Kopā bez PVN', tax: 'PVN 21%', total: 'Apmaksai' },
    Slovenian: { headings: ['Naziv', 'Količina', 'Cena', 'Znesek'], subtotal: 'Osnova', tax: 'DDV 22%', total: 'Za plačilo' },
    Bulgarian: { headings: ['Описание', 'Брой', 'Ед. цена', 'Стойност'], subtotal: 'Данъчна основа', tax: 'ДДС 20%', total: 'За плащане' },
    Korean: { headings: ['품목', '수량', '단가', '금액'], subtotal: '공급가액', tax: '부가세', total: '합계금액' },
    Vietnamese: {
      headings: ['Tên hàng', 'Số lượng', 'Đơn giá', 'Thành tiền'],
      subtotal: 'Cộng tiền',
      tax: 'Thuế 10%',
      total: 'Phải thanh toán',
    },
    Icelandic: { headings: ['Lýsing', 'Fjöldi', 'Verð', 'Upphæð'], subtotal: 'Án vsk', tax: 'Vsk 24%', total: 'Til greiðslu' },
    'no language': { headings: ['Zorp', 'Blib', 'Quee', 'Fnord'], subtotal: 'Vosk', tax: 'Wib', total: 'Grak' },
  }
  for (const [language, labels] of Object.entries(UNKNOWN))
    it(`F2 where no label is known, as in ${language}, the total is null with a remark, and nothing is added up`, () => {
      for (const headings of [labels.headings, SAMPLES.en.headings])
        for (const sample of [SAMPLES.en, SAMPLES.de, SAMPLES.cs]) {
          const invoice = invoiceIn({ ...sample, sign: '' }, { ...labels, headings })
          expect(invoice?.total_amount).to.equal(null)
          expect(invoice?.notes).to.deep.equal(['No total was found at a known label: total_amount is null, since it is not computed.'])
          expect(invoice?.subtotal).to.be.oneOf([null, SUBTOTAL])
          expect(invoice?.line_items.map(({ total_amount }) => total_amount)).to.deep.equal(GOODS.map(([, , , product]) => product))
        }
    })

  const rows = (first: string, ...more: readonly (readonly [string, string])[]) => [[first, '3 710,00'], ...more]
  for (const [form, sums] of Object.entries({
    'Lithuanian with the tax': rows('Suma be PVM', ['PVM 21%', '779,10'], ['Iš viso mokėti', '4 489,10']),
    'Lithuanian with only a final amount': rows('Suma be PVM', ['Iš viso mokėti', '4 489,10']),
    'Lithuanian with nothing else': rows('Suma be PVM'),
    'Lithuanian with a rebate': rows('Suma be PVM', ['Nuolaida', '-10,00'], ['PVM 21%', '777,00'], ['Iš viso mokėti', '4 477,00']),
    'Lithuanian with a bare word': rows('Suma', ['Iš viso mokėti', '4 489,10']),
    Serbian: rows('Suma bez PDV', ['PDV 20%', '742,00'], ['Ukupno sa PDV', '4 452,00']),
    'Latvian with a bare word': rows('Summa', ['PVN 21%', '779,10'], ['Apmaksai', '4 489,10']),
    'no language, with a subtotal': rows('Subtotal', ['Wib', '779,10'], ['Grak', '4 489,10']),
  }))
    for (const recognised of [false, true])
      it(`F2 a known word in a label that is not known makes no total of the rows: ${form}, ${recognised ? 'recognised' : 'text'}`, () => {
        const { invoice } = readingOf([
          pageOf(
            [
              ...tableAt(
                200,
                [60, 300, 380, 480],
                [
                  ['Pavadinimas', 'Kiekis', 'Kaina', 'Suma'],
                  ['Merlin A4', '6', '125,00', '750,00'],
                  ['Osprey B7', '2', '1 480,00', '2 960,00'],
                ],
              ),
              ...tableAt(290, [260, 470], sums),
            ],
            recognised ? { confidence: 0.9 } : {},
          ),
        ])
        expect(invoice?.total_amount).to.equal(null)
        expect(invoice?.notes).to.have.length(1)
        expect(invoice?.subtotal).to.be.oneOf([null, SUBTOTAL])
        expect(invoice?.line_items).to.have.length(2)
      })

  for (const [form, sums] of Object.entries({
    Summe: [['Summe', '9,50']],
    'Summe EUR': [['Summe EUR', '9,50']],
    'Summe, paid in cash with change': [
      ['Summe', '9,50'],
      ['Bar', '20,00'],
      ['Rückgeld', '10,50'],
    ],
    Suma: [['Suma', '9,50']],
    'Suma PLN': [['Suma PLN', '9,50']],
    'Summa SEK': [['Summa SEK', '9,50']],
  }))
    it(`F2 a receipt whose only label of a sum is a bare word has a total: ${form}`, () => {
      const { invoice } = readingOf([
        pageOf([
          [60, 50, 'Gasthaus Krone'],
          [60, 64, 'Hauptstr. 1, 01067 Dresden'],
          ...tableAt(120, [60, 400], [['2 x Kaffee', '5,00'], ['Kuchen', '4,50'], ...sums]),
        ]),
      ])
      expect(invoice?.total_amount).to.equal(9.5)
      expect(invoice?.notes).to.deep.equal([])
      expect(invoice?.line_items.map(({ total_amount }) => total_amount)).to.deep.equal([5, 4.5])
    })
})
