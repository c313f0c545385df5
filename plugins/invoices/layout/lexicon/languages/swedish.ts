import type { Vocabulary } from '../vocabulary.js'

/** Swedish invoice vocabulary. */
export const swedish: Vocabulary = {
  labels: {
    number: 'fakturanr|fakturanummer|faktura nr|kvittonr|kvitto nr|kvittonummer|kreditfakturanr|kreditfaktura nr',
    date: 'fakturadatum|datum|utfärdad|utskriftsdatum|kvittodatum',
    due: 'förfallodatum|förfaller|förfallodag|betalas senast|oss tillhanda|oss tillhanda senast|sista betalningsdag|betala senast',
    terms: 'betalningsvillkor|villkor',
    customer: 'kund|köpare|faktureras till|fakturaadress|kundadress|mottagare',
    supplier: 'säljare|leverantör|avsändare',
    other:
      'org nr|organisationsnummer|orgnr|momsreg nr|kundnummer|kundnr|bankgiro|plusgiro|ocr|ocr nummer|er referens|vår referens|ordernr|ordernummer|godkänd för f skatt',
    subtotal:
      'summa exkl moms|netto|delsumma|summa netto|totalt exkl moms|belopp exkl moms|exkl moms|nettobelopp|summa exklusive moms|varuvärde',
    tax: 'moms|varav moms|momsbelopp|moms kr|mervärdesskatt|total moms|summa moms',
    taxBase: 'momsunderlag|momspliktigt|underlag|underlag moms',
    total:
      'totalt|total|att betala|summa att betala|totalsumma|totalbelopp|summa inkl moms|totalt inkl moms|att betala sek|summa totalt|totalt att betala|summa|slutsumma|fakturabelopp|totalt belopp',
    payable: 'kvar att betala|återstår att betala|saldo|restbelopp',
    prepaid: 'förskott|betalt|inbetalt|redan betalt|a conto|handpenning|kortbetalning',
    discount: 'rabatt|avdrag|kampanjrabatt|mängdrabatt|rotavdrag|kupong',
    shipping:
      'frakt|fraktkostnad|porto|faktureringsavgift|expeditionsavgift|avgift|fakturaavgift|serviceavgift|miljöavgift|dricks|pant|transport|leverans|försäkring',
    withheld: 'innehållen|skatteavdrag',
    rounding: 'öresavrundning|öresutjämning|avrundning|öresavr',
  },
  headings: {
    position: 'rad|pos|nr',
    code: 'artnr|artikelnr|artikelnummer|art nr',
    description: 'beskrivning|benämning|artikel|vara|tjänst|text|produkt|specifikation',
    quantity: 'antal|kvantitet|mängd',
    unit: 'enhet|enh',
    price: 'à pris|a pris|pris|styckpris|pris exkl moms|enhetspris|apris|pris st',
    grossPrice: 'à pris inkl moms|pris inkl moms|styckpris inkl moms|enhetspris inkl moms',
    discount: 'rabatt|rabatt %',
    rate: 'moms|moms %|momssats',
    tax: 'momsbelopp',
    net: 'netto|exkl moms|belopp exkl moms',
    gross: 'inkl moms|belopp inkl moms|summa inkl moms|totalt inkl moms',
    amount: 'belopp|summa|totalt|total|radsumma',
    skip: 'vikt|färg',
  },
  months:
    'januari jan|februari feb|mars mar|april apr|maj|juni jun|juli jul|augusti aug|september sep sept|oktober okt|november nov|december dec',
  common: 'och|för|till|med|av|vid|dagar|vi|er|betalning|att|på|efter|dröjsmålsränta|kr',
}
