import type { Vocabulary } from '../vocabulary.js'

/** Finnish invoice vocabulary. */
export const finnish: Vocabulary = {
  labels: {
    number: 'laskun numero|laskunumero|laskunro|lasku nro|lasku|kuitin numero|kuitti nro|hyvityslaskun numero',
    date: 'laskun päivä|laskun päiväys|päiväys|päivämäärä|laskupäivä|laskun pvm|pvm',
    due: 'eräpäivä|maksettava viimeistään|eräpvm',
    terms: 'maksuehto|maksuehdot',
    customer: 'asiakas|ostaja|laskutusosoite|vastaanottaja|laskutettava',
    supplier: 'myyjä|toimittaja|lähettäjä',
    other: 'y tunnus|alv tunnus|viitenumero|viite|tilinumero|asiakasnumero|tilausnumero|viivästyskorko',
    subtotal: 'veroton yhteensä|veroton|veroton hinta|yhteensä veroton|välisumma|netto|summa ilman alv|veroton summa|alv 0',
    tax: 'alv|arvonlisävero|alv yhteensä|vero|veron osuus|sis alv|sisältää alv|arvonlisäverot yhteensä',
    taxBase: 'veron peruste|verollinen',
    total:
      'yhteensä|maksettava yhteensä|maksettavaa|maksettava|maksettavaa yhteensä|verollinen yhteensä|yhteensä eur|loppusumma|laskun summa|laskun loppusumma|summa|maksettavaa eur|kokonaissumma',
    payable: 'jäljellä|avoinna|maksamatta',
    prepaid: 'ennakkomaksu|maksettu|ennakko|suoritettu',
    discount: 'alennus|alennukset|hyvitys|kuponki|käteisalennus',
    shipping: 'toimituskulut|rahti|postikulut|laskutuslisä|toimitusmaksu|käsittelymaksu|pantti|palvelumaksu|kuljetus|lisämaksu|juomaraha',
    rounding: 'pyöristys|pyöristysero',
    carried: 'siirto',
  },
  headings: {
    position: 'rivi|nro',
    code: 'tuotenumero|koodi|tuotekoodi',
    description: 'kuvaus|tuote|nimike|selite|palvelu',
    quantity: 'määrä|kpl|lkm',
    unit: 'yksikkö|yks',
    price: 'à hinta|a hinta|hinta|yksikköhinta|veroton hinta|kpl hinta',
    grossPrice: 'verollinen hinta|hinta sis alv|à hinta sis alv|yksikköhinta sis alv',
    discount: 'alennus|ale %',
    rate: 'alv|alv %|vero %',
    tax: 'alv eur|veron määrä',
    net: 'veroton|netto',
    gross: 'verollinen|yhteensä sis alv|verollinen yhteensä',
    amount: 'yhteensä|summa|hinta yhteensä',
  },
  months:
    'tammikuu tammikuuta|helmikuu helmikuuta|maaliskuu maaliskuuta|huhtikuu huhtikuuta|toukokuu toukokuuta|kesäkuu kesäkuuta|heinäkuu heinäkuuta|elokuu elokuuta|syyskuu syyskuuta|lokakuu lokakuuta|marraskuu marraskuuta|joulukuu joulukuuta',
  common: 'ja|on|tai|kun|päivää|kiitos|maksu|mukaan|sekä|laskun|oy|alv|eur',
}
