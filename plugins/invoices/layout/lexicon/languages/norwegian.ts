import type { Vocabulary } from '../vocabulary.js'

/** Norwegian invoice vocabulary. */
export const norwegian: Vocabulary = {
  labels: {
    number: 'fakturanr|fakturanummer|faktura nr|kvitteringsnr|kvittering nr|kreditnota nr|bilagsnr',
    date: 'fakturadato|dato|utstedt',
    due: 'forfallsdato|forfall|forfaller|betales innen|betalingsfrist',
    terms: 'betalingsbetingelser|betalingsvilkår',
    customer: 'kunde|kjøper|faktureres til|fakturaadresse|mottaker',
    supplier: 'selger|leverandør|avsender',
    other: 'org nr|orgnr|organisasjonsnummer|kundenr|kundenummer|kontonr|kontonummer|kid|deres ref|vår ref|ordrenr|mva nr',
    subtotal: 'sum eks mva|netto|delsum|nettobeløp|sum ekskl mva|totalt eks mva|sum netto|beløp eks mva|eks mva|sum uten mva',
    tax: 'mva|merverdiavgift|herav mva|mva beløp|sum mva|moms',
    taxBase: 'mva grunnlag|grunnlag|avgiftsgrunnlag',
    total:
      'å betale|totalt|total|sum|sum inkl mva|totalbeløp|totalt inkl mva|å betale nok|sum å betale|totalsum|beløp å betale|fakturabeløp|totalt å betale',
    payable: 'gjenstår å betale|gjenstående|restbeløp|til gode|rest å betale|utestående',
    prepaid: 'forskudd|betalt|allerede betalt|depositum betalt|innbetalt|a konto|forskuddsbetalt',
    discount: 'rabatt|avslag|kupong|kampanjerabatt',
    shipping:
      'frakt|porto|gebyr|fakturagebyr|miljøgebyr|ekspedisjonsgebyr|transport|levering|tips|pant|miljøavgift|servicegebyr|forsikring|depositum',
    rounding: 'øreavrunding|avrunding|øresavrunding',
    carried: 'overført',
  },
  headings: {
    position: 'pos|nr|linje',
    code: 'varenr|artikkelnr|varenummer',
    description: 'beskrivelse|tekst|vare|tjeneste|produkt|betegnelse',
    quantity: 'antall|mengde',
    unit: 'enhet',
    price: 'pris|enhetspris|à pris|stykkpris|pris eks mva',
    grossPrice: 'pris inkl mva|enhetspris inkl mva|à pris inkl mva|stykkpris inkl mva',
    discount: 'rabatt|rabatt %',
    rate: 'mva|mva %|mva sats',
    tax: 'mva beløp',
    net: 'netto|eks mva|beløp eks mva',
    gross: 'inkl mva|beløp inkl mva|sum inkl mva|totalt inkl mva',
    amount: 'beløp|sum|totalt|total',
  },
  months: 'januar jan|februar feb|mars mar|april apr|mai|juni jun|juli jul|august aug|september sep|oktober okt|november nov|desember des',
  common: 'og|til|med|av|ved|dager|vi|dere|betaling|på|etter|forsinkelsesrente|kr|takk|uke|mva|nok|utleie',
}
