import type { Vocabulary } from '../vocabulary.js'

/** Czech invoice vocabulary. */
export const czech: Vocabulary = {
  labels: {
    number:
      'číslo faktury|faktura č|faktura číslo|č faktury|číslo dokladu|doklad č|daňový doklad č|faktura daňový doklad č|účtenka č|variabilní symbol',
    date: 'datum vystavení|vystaveno|datum|vystaveno dne|datum faktury',
    due: 'datum splatnosti|splatnost|splatno|splatné do|den splatnosti',
    terms: 'forma úhrady|způsob úhrady|platební podmínky',
    customer: 'odběratel|zákazník|kupující|příjemce',
    supplier: 'dodavatel|prodávající|vystavil',
    other: 'ič|ičo|dič|číslo účtu|konstantní symbol|objednávka č|duzp|iban|datum uskutečnění plnění|datum zdanitelného plnění',
    subtotal: 'základ daně|celkem bez dph|bez dph|mezisoučet|součet bez dph|cena bez dph|základ|celkem základ',
    tax: 'dph|dph celkem|daň|výše dph|celkem dph|sazba dph',
    taxBase: 'základ dph|rekapitulace dph',
    total:
      'celkem k úhradě|celkem|celkem s dph|k úhradě celkem|celková částka|cena celkem|částka k úhradě|celkem kč|cena s dph|součet|celkem včetně dph',
    payable: 'k úhradě|zbývá uhradit|zbývá k úhradě|doplatek|k zaplacení',
    prepaid: 'záloha|zaplaceno|uhrazeno|uhrazená záloha|zaplacená záloha|odpočet zálohy|uhrazeno zálohou',
    discount: 'sleva|rabat|kupón|množstevní sleva',
    shipping:
      'doprava|poštovné|balné|dopravné|poplatek|přeprava|manipulační poplatek|spropitné|vratná záloha|recyklační poplatek|servisní poplatek|pojištění',
    rounding: 'zaokrouhlení|haléřové vyrovnání',
    carried: 'převod',
  },
  headings: {
    position: 'č|poř č|p č',
    code: 'kód|katalogové číslo|kód zboží',
    description: 'popis|položka|název|označení dodávky|text|zboží|služba',
    quantity: 'množství|počet|ks|počet mj',
    unit: 'mj|jednotka',
    price: 'cena|cena za kus|jednotková cena|cena za mj|cena za jednotku|cena mj|cena bez dph',
    grossPrice: 'cena s dph|jednotková cena s dph|cena za kus s dph|cena mj s dph',
    discount: 'sleva|sleva %',
    rate: 'dph|dph %|sazba dph|sazba',
    tax: 'daň|výše dph',
    net: 'bez dph|základ',
    gross: 's dph|celkem s dph',
    amount: 'celkem|cena celkem|částka',
  },
  months:
    'leden ledna|únor února|březen března|duben dubna|květen května|červen června|červenec července|srpen srpna|září|říjen října|listopad listopadu|prosinec prosince',
  common: 'a|na|pro|do|se|dne|za|děkujeme|prosíme|částka|je|nebo|při|dph|kč|ks',
}
