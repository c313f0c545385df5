import type { Vocabulary } from '../vocabulary.js'

/** Slovak invoice vocabulary. */
export const slovak: Vocabulary = {
  labels: {
    number: 'číslo faktúry|faktúra č|faktúra číslo|č faktúry|číslo dokladu|variabilný symbol|faktúra',
    date: 'dátum vystavenia|vystavené|vystavená dňa|dátum',
    due: 'dátum splatnosti|splatnosť|splatné do',
    terms: 'forma úhrady|spôsob úhrady',
    customer: 'odberateľ|zákazník|kupujúci',
    supplier: 'dodávateľ|predávajúci',
    other: 'ičo|dič|ič dph|číslo účtu|konštantný symbol|dátum dodania|objednávka č',
    subtotal: 'základ dane|spolu bez dph|celkom bez dph|medzisúčet|bez dph',
    tax: 'dph|dph spolu|daň|výška dph',
    taxBase: 'základ dph|rekapitulácia dph',
    total: 'spolu na úhradu|celkom k úhrade|spolu|celkom|spolu s dph|celková suma|celkom s dph|suma na úhradu',
    payable: 'k úhrade|na úhradu|zostáva uhradiť|doplatok',
    prepaid: 'záloha|zaplatené|uhradené|preddavok|uhradená záloha',
    discount: 'zľava|rabat|kupón',
    shipping: 'doprava|poštovné|balné|poplatok|preprava|manipulačný poplatok|sprepitné|servisný poplatok|poistenie',
    rounding: 'zaokrúhlenie',
  },
  headings: {
    code: 'kód',
    description: 'popis|položka|názov|text|tovar|služba',
    quantity: 'množstvo|počet|ks',
    unit: 'mj|jednotka',
    price: 'cena|jednotková cena|cena za kus|cena za jednotku|cena za mj',
    grossPrice: 'cena s dph|jednotková cena s dph|cena za kus s dph',
    discount: 'zľava',
    rate: 'dph|dph %|sadzba dph|sadzba',
    net: 'bez dph',
    gross: 's dph|spolu s dph|celkom s dph|suma s dph',
    amount: 'spolu|celkom|cena spolu|suma|cena celkom',
  },
  months:
    'január januára|február februára|marec marca|apríl apríla|máj mája|jún júna|júl júla|august augusta|september septembra|október októbra|november novembra|december decembra',
  common: 'a|na|pre|do|so|dňa|za|ďakujeme|prosíme|suma|je|alebo|pri|dph',
}
