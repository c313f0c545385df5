import type { Vocabulary } from '../vocabulary.js'

/** Hungarian invoice vocabulary. */
export const hungarian: Vocabulary = {
  labels: {
    number: 'számlaszám|számla száma|számla sorszáma|számla sorszám|sorszám|nyugtaszám|nyugta száma|bizonylatszám',
    date: 'kelt|számla kelte|kiállítás dátuma|kiállítás kelte|dátum|keltezés|számla dátuma',
    due: 'fizetési határidő|esedékesség|fizetési határideje|fizetés határideje',
    terms: 'fizetési mód|fizetés módja',
    customer: 'vevő|megrendelő|vásárló',
    supplier: 'eladó|szállító|kiállító|szolgáltató',
    other: 'adószám|bankszámlaszám|cégjegyzékszám|teljesítés|teljesítés dátuma|teljesítés kelte|rendelésszám',
    subtotal: 'nettó összesen|nettó|nettó összeg|részösszeg|nettó érték|összesen nettó|adóalap',
    tax: 'áfa|áfa összesen|áfa összege|forgalmi adó|áfa összeg|ebből áfa',
    taxBase: 'áfa alap|áfa alapja',
    total:
      'fizetendő összesen|összesen|végösszeg|bruttó összesen|bruttó|fizetendő|fizetendő végösszeg|számla végösszege|mindösszesen|bruttó végösszeg|bruttó összeg|összesen fizetendő',
    payable: 'fizetendő összeg|fennmaradó összeg|hátralék|még fizetendő',
    prepaid: 'előleg|fizetve|kifizetve|befizetett előleg|foglaló',
    discount: 'kedvezmény|engedmény|árengedmény|kupon',
    shipping:
      'szállítási díj|szállítási költség|postaköltség|kezelési költség|díj|borravaló|szervizdíj|betétdíj|kiszállítás|csomagolás|felár|idegenforgalmi adó|fuvar',
    rounding: 'kerekítés',
    carried: 'átvitel',
  },
  headings: {
    position: 'ssz|sorszám',
    code: 'cikkszám|kód',
    description: 'megnevezés|leírás|tétel|termék|szolgáltatás|termék szolgáltatás',
    quantity: 'mennyiség|menny|db',
    unit: 'egység|me|mértékegység',
    price: 'egységár|nettó egységár|ár|egys ár',
    grossPrice: 'bruttó egységár|bruttó egys ár',
    discount: 'kedvezmény',
    rate: 'áfa|áfa %|áfa kulcs',
    tax: 'áfa összeg|áfa érték',
    net: 'nettó|nettó érték|nettó összeg|nettó ár',
    gross: 'bruttó|bruttó érték|bruttó összeg|bruttó ár',
    amount: 'érték|összesen|összeg',
  },
  months:
    'január jan|február febr|március márc|április ápr|május máj|június jún|július júl|augusztus aug|szeptember szept|október okt|november nov|december dec',
  common: 'és|a|az|nap|köszönjük|kérjük|utca|fizetés|napon|belül|áfa|ft|db|kft',
}
