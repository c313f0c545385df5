import type { Vocabulary } from '../vocabulary.js'

/** Danish invoice vocabulary. */
export const danish: Vocabulary = {
  labels: {
    number: 'fakturanr|fakturanummer|faktura nr|bon nr|bonnr|kvitteringsnr|kreditnota nr',
    date: 'fakturadato|dato|udstedt|udstedelsesdato',
    due: 'forfaldsdato|forfald|forfalder|betales senest|betalingsfrist|sidste rettidige betaling',
    terms: 'betalingsbetingelser',
    customer: 'kunde|køber|faktureres til|faktureringsadresse|modtager',
    supplier: 'sælger|leverandør|afsender',
    other: 'cvr|cvr nr|se nr|kundenr|kundenummer|kontonr|reg nr|ordrenr|deres ref|vores ref|ean',
    subtotal: 'subtotal|netto|i alt ekskl moms|nettobeløb|total ekskl moms|beløb ekskl moms|ekskl moms|sum ekskl moms|moms grundlag',
    tax: 'moms|heraf moms|momsbeløb|moms i alt|moms udgør',
    taxBase: 'momsgrundlag|momspligtigt beløb|grundlag',
    total:
      'i alt|total|i alt dkk|i alt inkl moms|total inkl moms|at betale|til betaling|samlet beløb|beløb at betale|totalbeløb|i alt at betale|total dkk|fakturabeløb',
    payable: 'restbeløb|rest at betale|mangler at betale|skyldigt beløb|udestående',
    prepaid: 'forudbetalt|betalt|aconto|depositum betalt|indbetalt|dankort|allerede betalt',
    discount: 'rabat|nedslag|kupon|mængderabat',
    shipping:
      'fragt|porto|gebyr|fakturagebyr|miljøgebyr|ekspeditionsgebyr|levering|transport|drikkepenge|pant|miljøtillæg|servicegebyr|depositum|forsikring',
    rounding: 'afrunding|øreafrunding|øresafrunding',
    carried: 'overført',
  },
  headings: {
    position: 'pos|nr|linje',
    code: 'varenr|varenummer|artikelnr',
    description: 'beskrivelse|tekst|vare|ydelse|produkt|betegnelse',
    quantity: 'antal|mængde',
    unit: 'enhed',
    price: 'pris|enhedspris|stk pris|stykpris|à pris|pris ekskl moms',
    grossPrice: 'pris inkl moms|stykpris inkl moms|enhedspris inkl moms',
    discount: 'rabat|rabat %',
    rate: 'moms|moms %|momssats',
    net: 'netto|ekskl moms',
    gross: 'inkl moms|beløb inkl moms|i alt inkl moms',
    amount: 'beløb|i alt|total|sum|linjetotal',
  },
  months: 'januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|september sep|oktober okt|november nov|december dec',
  common: 'og|til|med|af|ved|dage|vi|jer|betaling|på|efter|tak|kr|cvr|heraf',
}
