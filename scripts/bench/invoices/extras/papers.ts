import type { Design } from './designs.js'
import type { Style } from './money.js'
import type { Line, SumRow } from './sums.js'

/** One paper of the set: what it prints, and the facts that are right. */
export interface Paper {
  readonly id: string
  readonly language: string
  readonly design: Design
  readonly title: string
  readonly seller: readonly string[]
  /** A label before the receiver, or nothing. */
  readonly to: string
  readonly buyer: readonly string[]
  readonly number: string
  readonly date: string
  readonly due: string | null
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly headings: readonly string[]
  readonly lines: readonly Line[]
  readonly sums: readonly SumRow[]
  readonly currency: string | null
  readonly style: Style
  readonly sign: string
  readonly signFirst?: boolean
  readonly signedSums?: 'all' | 'strong'
  readonly signedLines?: boolean
  /** The only rate of the paper; null where there are several, or none is printed. */
  readonly rate: number | null
}

const line = (text: string, quantity: number, price: number): Line => ({ text, quantity, price })

const nordic: readonly Paper[] = [
  {
    ...{
      id: 'freight-sv',
      language: 'sv',
      design: 'form',
      title: 'Faktura',
      seller: ['Norrvik Kabel AB', 'Hamngatan 12', '411 06 Göteborg', 'Org.nr 556012-3456'],
    },
    ...{ to: 'Kund', buyer: ['Lindö Bygg AB', 'Skolgatan 4', '602 24 Norrköping'], number: '48213', date: '2025-04-02', due: '2025-05-02' },
    facts: [
      ['Fakturanr', '48213'],
      ['Fakturadatum', '2025-04-02'],
      ['Förfallodatum', '2025-05-02'],
    ],
    headings: ['Artikel', 'Antal', 'À-pris', 'Summa'],
    lines: [line('Kabelrulle 50 m', 4, 38900), line('Kopplingsdosa', 12, 4550)],
    sums: [
      ['charge', 'Frakt', 19500],
      ['charge', 'Faktureringsavgift', 4900],
      ['net', 'Summa exkl. moms'],
      ['tax', 'Moms 25%', 25],
      ['round', 'Öresavrundning'],
      ['total', 'Att betala'],
    ],
    ...{ currency: 'SEK', style: 'blank', sign: 'kr', signedSums: 'strong', rate: 25 },
  },
  {
    ...{
      id: 'two-rates-sv',
      language: 'sv',
      design: 'across',
      title: 'FAKTURA',
      seller: ['Ekbacken Livs AB', 'Torggatan 3', '722 15 Västerås'],
    },
    ...{
      to: '',
      buyer: ['Hotell Solsidan AB', 'Strandvägen 9', '261 31 Landskrona'],
      number: 'F-7719',
      date: '2025-06-11',
      due: '2025-07-11',
    },
    facts: [
      ['Fakturanummer', 'F-7719'],
      ['Fakturadatum', '2025-06-11'],
      ['Förfaller', '2025-07-11'],
    ],
    headings: ['Benämning', 'Antal', 'Pris', 'Belopp'],
    lines: [line('Kaffe 1 kg', 10, 14900), line('Servetter', 20, 3500)],
    sums: [
      ['net', 'Netto'],
      ['tax', 'Moms 12%', 12, 149000],
      ['tax', 'Moms 25%', 25, 70000],
      ['total', 'Att betala SEK'],
    ],
    ...{ currency: 'SEK', style: 'blank', sign: '', rate: null },
  },
  {
    ...{
      id: 'dash-no',
      language: 'no',
      design: 'form',
      title: 'FAKTURA',
      seller: ['Vestland Båtservice AS', 'Kaigata 8', '5003 Bergen', 'Org.nr. 912 345 678 MVA'],
    },
    ...{ to: '', buyer: ['Ola Eksempel', 'Fjellveien 3', '6002 Ålesund'], number: '20418', date: '2025-02-14', due: '2025-02-28' },
    facts: [
      ['Fakturanr.', '20418'],
      ['Fakturadato', '14.02.2025'],
      ['Forfallsdato', '28.02.2025'],
    ],
    headings: ['Beskrivelse', 'Antall', 'Pris', 'Beløp'],
    lines: [line('Vinterlagring', 1, 1250000), line('Motorservice', 2, 145000)],
    sums: [
      ['net', 'Sum eks. mva'],
      ['charge', 'Miljøgebyr', 15000],
      ['tax', 'MVA 25%', 25],
      ['round', 'Øreavrunding'],
      ['total', 'Å betale NOK'],
    ],
    ...{ currency: 'NOK', style: 'dash', sign: '', rate: 25 },
  },
  {
    ...{
      id: 'deposit-no',
      language: 'no',
      design: 'ledger',
      title: 'Faktura',
      seller: ['Sletta Utleie AS', 'Bruveien 20', '7030 Trondheim'],
    },
    ...{ to: 'Kunde:', buyer: ['Dal Entreprenør AS', 'Myra 1', '2819 Gjøvik'], number: '3301', date: '2025-09-03', due: '2025-09-17' },
    facts: [
      ['Fakturanummer', '3301'],
      ['Fakturadato', '03.09.2025'],
      ['Forfall', '17.09.2025'],
    ],
    headings: ['Tekst', 'Antall', 'Enhetspris', 'Sum'],
    lines: [line('Leie av lift, uke', 3, 480000), line('Transport', 2, 95000)],
    sums: [
      ['off', 'Rabatt 10%', 10],
      ['net', 'Netto'],
      ['tax', 'Merverdiavgift 25%', 25],
      ['total', 'Totalt'],
      ['paid', 'Depositum betalt', 500000],
      ['due', 'Gjenstår å betale'],
    ],
    ...{ currency: 'NOK', style: 'blank', sign: 'kr', signFirst: true, signedSums: 'strong', rate: 25 },
  },
  {
    ...{
      id: 'fee-da',
      language: 'da',
      design: 'letter',
      title: 'Faktura',
      seller: ['Havnens Tømrer ApS', 'Kajen 3', '8000 Aarhus C', 'CVR 12345678'],
    },
    ...{ to: '', buyer: ['Jens Eksempel', 'Skovvej 2', '8600 Silkeborg'], number: '5533', date: '2025-03-07', due: '2025-03-21' },
    facts: [
      ['Fakturanr.', '5533'],
      ['Fakturadato', '07-03-2025'],
      ['Forfaldsdato', '21-03-2025'],
    ],
    headings: ['Beskrivelse', 'Antal', 'Pris', 'Beløb'],
    lines: [line('Reparation af bro', 8, 55000), line('Egebrædder', 14, 12450)],
    sums: [
      ['charge', 'Gebyr', 7500],
      ['net', 'Subtotal'],
      ['tax', 'Moms 25%', 25],
      ['total', 'I alt DKK'],
    ],
    ...{ currency: 'DKK', style: 'comma', sign: '', rate: 25 },
  },
  {
    ...{ id: 'tip-da', language: 'da', design: 'receipt', title: 'Bon', seller: ['Café Kajen ApS', 'Nyhavn 40', '1051 København K'] },
    ...{ to: '', buyer: [], number: '8841', date: '2025-08-19', due: null },
    facts: [
      ['Bon nr.', '8841'],
      ['Dato', '19-08-2025'],
    ],
    headings: [],
    lines: [line('Smørrebrød', 2, 9500), line('Kaffe', 2, 3800)],
    sums: [
      ['total', 'Total'],
      ['included', 'Heraf moms 25%', 25],
      ['paid', 'Dankort', 26600],
    ],
    ...{ currency: 'DKK', style: 'comma', sign: 'kr', signedSums: 'strong', rate: 25 },
  },
  {
    ...{
      id: 'discount-fi',
      language: 'fi',
      design: 'form',
      title: 'LASKU',
      seller: ['Saimaan Veneet Oy', 'Satamatie 5', '53900 Lappeenranta', 'Y-tunnus 1234567-8'],
    },
    ...{
      to: 'Asiakas',
      buyer: ['Mökki ja Piha Oy', 'Koivukuja 2', '70100 Kuopio'],
      number: '100234',
      date: '2025-05-16',
      due: '2025-05-30',
    },
    facts: [
      ['Laskun numero', '100234'],
      ['Laskun päivä', '16.5.2025'],
      ['Eräpäivä', '30.5.2025'],
    ],
    headings: ['Kuvaus', 'Määrä', 'À-hinta', 'Yhteensä'],
    lines: [line('Soutuvene 4 m', 1, 189000), line('Airopari', 3, 5900)],
    sums: [
      ['off', 'Alennus 5 %', 5],
      ['charge', 'Toimituskulut', 8000],
      ['net', 'Veroton yhteensä'],
      ['tax', 'ALV 25,5 %', 25.5],
      ['total', 'Maksettava yhteensä'],
    ],
    ...{ currency: 'EUR', style: 'blank', sign: '€', signedSums: 'all', rate: 25.5 },
  },
  {
    ...{
      id: 'billing-fi',
      language: 'fi',
      design: 'across',
      title: 'Lasku',
      seller: ['Pohjan Huolto Oy', 'Teollisuustie 9', '90830 Haukipudas'],
    },
    ...{ to: '', buyer: ['Kiinteistö Oy Rantatalo', 'Rantakatu 11', '90100 Oulu'], number: '55120', date: '2025-10-01', due: '2025-10-15' },
    facts: [
      ['Laskunumero', '55120'],
      ['Päiväys', '1.10.2025'],
      ['Eräpäivä', '15.10.2025'],
    ],
    headings: ['Tuote', 'Määrä', 'Hinta', 'Summa'],
    lines: [line('Lämmityksen huolto', 4, 8500), line('Suodatin', 2, 3290)],
    sums: [
      ['net', 'Veroton'],
      ['tax', 'Arvonlisävero 25,5 %', 25.5],
      ['untaxed', 'Laskutuslisä', 500],
      ['total', 'Maksettavaa EUR'],
    ],
    ...{ currency: 'EUR', style: 'plain', sign: '', rate: 25.5 },
  },
]

const eastern: readonly Paper[] = [
  {
    ...{
      id: 'shipping-cs',
      language: 'cs',
      design: 'form',
      title: 'Faktura - daňový doklad',
      seller: ['Stavby Ořech s.r.o.', 'Dlouhá 18', '602 00 Brno', 'IČO 12345678'],
    },
    ...{
      to: 'Odběratel',
      buyer: ['Pekárna U Mostu s.r.o.', 'Lipová 7', '370 01 České Budějovice'],
      number: '2025031',
      date: '2025-03-11',
      due: '2025-03-25',
    },
    facts: [
      ['Číslo faktury', '2025031'],
      ['Datum vystavení', '11.03.2025'],
      ['Datum splatnosti', '25.03.2025'],
    ],
    headings: ['Popis', 'Množství', 'Cena', 'Celkem'],
    lines: [line('Dubová deska', 6, 129000), line('Montáž', 5, 65000)],
    sums: [
      ['charge', 'Doprava', 35000],
      ['net', 'Základ daně'],
      ['tax', 'DPH 21 %', 21],
      ['round', 'Zaokrouhlení'],
      ['total', 'Celkem k úhradě'],
    ],
    ...{ currency: 'CZK', style: 'blank', sign: 'Kč', signedSums: 'all', rate: 21 },
  },
  {
    ...{
      id: 'deposit-cs',
      language: 'cs',
      design: 'letter',
      title: 'Faktura',
      seller: ['Tiskárna Javor s.r.o.', 'Nádražní 44', '702 00 Ostrava'],
    },
    ...{
      to: '',
      buyer: ['Galerie Kampa a.s.', 'Na Příkopě 5', '110 00 Praha 1'],
      number: 'FV-00871',
      date: '2025-07-22',
      due: '2025-08-05',
    },
    facts: [
      ['Faktura č.', 'FV-00871'],
      ['Datum vystavení', '22.07.2025'],
      ['Splatnost', '05.08.2025'],
    ],
    headings: ['Položka', 'Počet', 'Cena za kus', 'Celkem'],
    lines: [line('Katalog výstavy', 250, 8400), line('Plakát A1', 40, 11500)],
    sums: [
      ['off', 'Sleva 8 %', 8],
      ['net', 'Celkem bez DPH'],
      ['tax', 'DPH 12 %', 12],
      ['total', 'Celkem s DPH'],
      ['paid', 'Záloha', 1000000],
      ['due', 'K úhradě'],
    ],
    ...{ currency: 'CZK', style: 'comma', sign: 'Kč', signedSums: 'strong', rate: 12 },
  },
  {
    ...{
      id: 'rounding-hu',
      language: 'hu',
      design: 'form',
      title: 'SZÁMLA',
      seller: ['Tisza Fa Kft.', 'Kossuth utca 14', '6720 Szeged', 'Adószám 12345678-2-06'],
    },
    ...{
      to: 'Vevő',
      buyer: ['Balaton Panzió Kft.', 'Petőfi utca 3', '8230 Balatonfüred'],
      number: 'TF-2025/0119',
      date: '2025-04-08',
      due: '2025-04-16',
    },
    facts: [
      ['Számlaszám', 'TF-2025/0119'],
      ['Kelt', '2025.04.08.'],
      ['Fizetési határidő', '2025.04.16.'],
    ],
    headings: ['Megnevezés', 'Mennyiség', 'Egységár', 'Érték'],
    lines: [line('Tölgy asztal', 3, 8450000), line('Szállítás', 1, 1500000)],
    sums: [
      ['net', 'Nettó összesen'],
      ['tax', 'ÁFA 27%', 27],
      ['total', 'Fizetendő összesen'],
    ],
    ...{ currency: 'HUF', style: 'blank', sign: 'Ft', signedSums: 'all', rate: 27 },
  },
  {
    ...{ id: 'coupon-hu', language: 'hu', design: 'receipt', title: 'Nyugta', seller: ['Duna Büfé Kft.', 'Rakpart 2', '1052 Budapest'] },
    ...{ to: '', buyer: [], number: '004417', date: '2025-06-30', due: null },
    facts: [
      ['Nyugtaszám', '004417'],
      ['Dátum', '2025.06.30.'],
    ],
    headings: [],
    lines: [line('Lángos', 2, 140000), line('Limonádé', 3, 69000)],
    sums: [
      ['net', 'Részösszeg'],
      ['charge', 'Kupon', -50000],
      ['untaxed', 'Borravaló', 60000],
      ['total', 'Végösszeg'],
    ],
    ...{ currency: 'HUF', style: 'blank', sign: 'Ft', signedSums: 'strong', rate: null },
  },
  {
    ...{
      id: 'freight-ro',
      language: 'ro',
      design: 'ledger',
      title: 'FACTURĂ',
      seller: ['Brad Mobila SRL', 'Strada Lungă 22', '500035 Brașov', 'CUI RO1234567'],
    },
    ...{
      to: 'Client:',
      buyer: ['Pensiunea Izvor SRL', 'Strada Morii 5', '555700 Rășinari'],
      number: 'BM 00412',
      date: '2025-05-05',
      due: '2025-06-04',
    },
    facts: [
      ['Număr factură', 'BM 00412'],
      ['Data facturii', '05.05.2025'],
      ['Data scadenței', '04.06.2025'],
    ],
    headings: ['Descriere', 'Cantitate', 'Preț unitar', 'Valoare'],
    lines: [line('Masă de brad', 4, 62000), line('Scaun', 16, 18500)],
    sums: [
      ['off', 'Reducere 3%', 3],
      ['charge', 'Transport', 25000],
      ['net', 'Total fără TVA'],
      ['tax', 'TVA 19%', 19],
      ['total', 'Total de plată'],
    ],
    ...{ currency: 'RON', style: 'comma', sign: 'lei', signedSums: 'all', rate: 19 },
  },
  {
    ...{
      id: 'withholding-tr',
      language: 'tr',
      design: 'form',
      title: 'FATURA',
      seller: ['Boğaz Tasarım Ltd. Şti.', 'Liman Caddesi 8', '34425 İstanbul'],
    },
    ...{
      to: 'Sayın',
      buyer: ['Ege Otel A.Ş.', 'Sahil Yolu 21', '35430 İzmir'],
      number: 'BGT2025000000118',
      date: '2025-02-20',
      due: '2025-03-22',
    },
    facts: [
      ['Fatura No', 'BGT2025000000118'],
      ['Fatura Tarihi', '20.02.2025'],
      ['Vade Tarihi', '22.03.2025'],
    ],
    headings: ['Açıklama', 'Miktar', 'Birim Fiyat', 'Tutar'],
    lines: [line('Web tasarımı', 1, 4500000), line('Bakım saati', 6, 125000)],
    sums: [
      ['net', 'Ara Toplam'],
      ['tax', 'KDV %20', 20],
      ['untaxed', 'Tevkifat', -315000],
      ['total', 'Ödenecek Tutar'],
    ],
    ...{ currency: 'TRY', style: 'comma', sign: '₺', signFirst: true, signedSums: 'all', rate: 20 },
  },
  {
    ...{
      id: 'service-tr',
      language: 'tr',
      design: 'receipt',
      title: 'Fiş',
      seller: ['Kıyı Lokantası Ltd. Şti.', 'İskele Sokak 4', '48400 Bodrum'],
    },
    ...{ to: '', buyer: [], number: '0193', date: '2025-07-12', due: null },
    facts: [
      ['Fiş No', '0193'],
      ['Tarih', '12.07.2025'],
    ],
    headings: [],
    lines: [line('Balık', 2, 42000), line('Salata', 1, 16000)],
    sums: [
      ['net', 'Ara Toplam'],
      ['charge', 'Servis ücreti', 10000],
      ['tax', 'KDV %10', 10],
      ['total', 'Genel Toplam'],
    ],
    ...{ currency: 'TRY', style: 'comma', sign: 'TL', signedSums: 'strong', rate: 10 },
  },
  {
    ...{
      id: 'shipping-el',
      language: 'el',
      design: 'form',
      title: 'ΤΙΜΟΛΟΓΙΟ',
      seller: ['Αιγαίο Εμπορική Α.Ε.', 'Λιμένος 6', '185 31 Πειραιάς'],
    },
    ...{
      to: 'Πελάτης',
      buyer: ['Ξενοδοχείο Κύμα Ε.Π.Ε.', 'Παραλία 2', '841 00 Σύρος'],
      number: '1207',
      date: '2025-05-12',
      due: '2025-06-11',
    },
    facts: [
      ['Αριθμός τιμολογίου', '1207'],
      ['Ημερομηνία', '12/05/2025'],
      ['Ημερομηνία λήξης', '11/06/2025'],
    ],
    headings: ['Περιγραφή', 'Ποσότητα', 'Τιμή μονάδας', 'Αξία'],
    lines: [line('Ελαιόλαδο 5 λίτρα', 30, 3850), line('Θυμαρίσιο μέλι', 24, 1140)],
    sums: [
      ['charge', 'Μεταφορικά', 4500],
      ['net', 'Καθαρή αξία'],
      ['tax', 'ΦΠΑ 24%', 24],
      ['total', 'Σύνολο πληρωτέο'],
    ],
    ...{ currency: 'EUR', style: 'comma', sign: '€', signedSums: 'all', rate: 24 },
  },
  {
    ...{
      id: 'discount-uk',
      language: 'uk',
      design: 'ledger',
      title: 'РАХУНОК-ФАКТУРА',
      seller: ['ТОВ «Дніпро Меблі»', 'вул. Набережна 15', '49000 Дніпро'],
    },
    ...{
      to: 'Покупець:',
      buyer: ['ТОВ «Кав’ярня на розі»', 'вул. Садова 3', '65000 Одеса'],
      number: '0458',
      date: '2025-04-17',
      due: null,
    },
    facts: [
      ['Номер рахунку', '0458'],
      ['Дата', '17.04.2025'],
    ],
    headings: ['Найменування', 'Кількість', 'Ціна', 'Сума'],
    lines: [line('Стіл дубовий', 5, 420000), line('Стілець', 20, 98000)],
    sums: [
      ['off', 'Знижка 5%', 5],
      ['net', 'Разом без ПДВ'],
      ['tax', 'ПДВ 20%', 20],
      ['total', 'Усього до сплати'],
    ],
    ...{ currency: 'UAH', style: 'blank', sign: 'грн', signedSums: 'all', rate: 20 },
  },
  {
    ...{
      id: 'deposit-pl',
      language: 'pl',
      design: 'across',
      title: 'Faktura',
      seller: ['Orzech Okna Sp. z o.o.', 'ul. Dworcowa 8', '60-001 Poznań'],
    },
    ...{
      to: 'Nabywca',
      buyer: ['Hotel Nad Wartą Sp. z o.o.', 'ul. Mostowa 2', '61-854 Poznań'],
      number: 'FV/17/05/2025',
      date: '2025-05-09',
      due: '2025-05-23',
    },
    facts: [
      ['Numer faktury', 'FV/17/05/2025'],
      ['Data wystawienia', '09.05.2025'],
      ['Termin płatności', '23.05.2025'],
    ],
    headings: ['Nazwa', 'Ilość', 'Cena netto', 'Wartość netto'],
    lines: [line('Okno drewniane', 7, 145000), line('Transport', 1, 35000)],
    sums: [
      ['net', 'Razem netto'],
      ['tax', 'VAT 23%', 23],
      ['untaxed', 'Kaucja za palety', 20000],
      ['total', 'Razem do zapłaty'],
    ],
    ...{ currency: 'PLN', style: 'blank', sign: 'zł', signedSums: 'strong', rate: 23 },
  },
]

const indian = { language: 'en', currency: 'INR', style: 'lakh' } as const
const american = { language: 'en', currency: 'USD', style: 'point', sign: '$', signFirst: true } as const

const english: readonly Paper[] = [
  {
    ...{
      ...indian,
      id: 'lakh-gst',
      design: 'form',
      title: 'TAX INVOICE',
      seller: ['Malabar Pumps Pvt Ltd', '14 Beach Road', 'Kochi 682001', 'GSTIN: 32ABCDE1234F1Z5'],
    },
    ...{
      to: 'Bill To',
      buyer: ['Deccan Farms Pvt Ltd', '5 Station Road', 'Pune 411001'],
      number: 'MP/24-25/0311',
      date: '2025-01-15',
      due: '2025-02-14',
    },
    facts: [
      ['Invoice No.', 'MP/24-25/0311'],
      ['Dated', '15-Jan-2025'],
      ['Due Date', '14-Feb-2025'],
    ],
    headings: ['Description of Goods', 'Qty', 'Rate', 'Amount'],
    lines: [line('Diesel pump 10 HP', 3, 14500000), line('Hose 30 m', 12, 425000)],
    sums: [
      ['charge', 'Freight', 750000],
      ['net', 'Taxable Value'],
      ['tax', 'CGST @ 9%', 9],
      ['tax', 'SGST @ 9%', 9],
      ['total', 'Grand Total'],
    ],
    ...{ sign: '₹', signFirst: true, signedSums: 'all', rate: null },
  },
  {
    ...{
      ...indian,
      id: 'crore-igst',
      design: 'ledger',
      title: 'Tax Invoice',
      seller: ['Ganga Steel Pvt Ltd', '88 Mill Road', 'Kanpur 208001'],
    },
    ...{ to: 'Buyer:', buyer: ['Coastal Bridges Ltd', '2 Port Road', 'Mumbai 400001'], number: 'GS-1189', date: '2025-03-03', due: null },
    facts: [
      ['Invoice No', 'GS-1189'],
      ['Invoice Date', '03-Mar-2025'],
    ],
    headings: ['Particulars', 'Quantity', 'Rate', 'Amount'],
    lines: [line('Steel beam 12 m', 250, 4850000), line('Crane hire, day', 4, 3500000)],
    sums: [
      ['net', 'Sub Total'],
      ['tax', 'IGST 18%', 18],
      ['round', 'Round Off'],
      ['total', 'Invoice Total'],
    ],
    ...{ sign: 'Rs.', signFirst: true, signedSums: 'strong', rate: 18 },
  },
  {
    ...{
      ...indian,
      id: 'discounts-in',
      design: 'letter',
      title: 'INVOICE',
      seller: ['Lotus Print House', '9 Temple Street', 'Chennai 600001'],
    },
    ...{
      to: 'Billed To',
      buyer: ['Sample Schools Trust', '1 Park Road', 'Madurai 625001'],
      number: '2025/77',
      date: '2025-02-09',
      due: '2025-02-24',
    },
    facts: [
      ['Invoice Number', '2025/77'],
      ['Invoice Date', '09 Feb 2025'],
      ['Due Date', '24 Feb 2025'],
    ],
    headings: ['Item', 'Qty', 'Unit Price', 'Amount'],
    lines: [line('Textbook, set', 400, 62500), line('Wall map', 25, 118000)],
    sums: [
      ['off', 'Trade discount 10%', 10],
      ['charge', 'Coupon SCHOOL', -500000],
      ['charge', 'Packing', 350000],
      ['net', 'Taxable Amount'],
      ['tax', 'GST 12%', 12],
      ['total', 'Total Amount'],
    ],
    ...{ sign: 'INR', signFirst: false, signedSums: 'strong', rate: 12 },
  },
  {
    ...{ ...american, id: 'shipping-us', design: 'form', title: 'Invoice', seller: ['Bay Hardware LLC', '77 Bay Rd', 'Boston, MA 02110'] },
    ...{ to: 'Bill to', buyer: ['Sample Corp', '1 Elm St', 'Hartford, CT 06103'], number: '8871', date: '2025-03-17', due: '2025-04-16' },
    facts: [
      ['Invoice #', '8871'],
      ['Invoice date', '03/17/2025'],
      ['Due date', '04/16/2025'],
    ],
    headings: ['Item', 'Qty', 'Price', 'Amount'],
    lines: [line('Cleat, brass', 10, 1200), line('Rope 30 m', 2, 4000)],
    sums: [
      ['net', 'Subtotal'],
      ['tax', 'Sales tax 6.25%', 6.25],
      ['untaxed', 'Shipping & handling', 1500],
      ['untaxed', 'Fuel surcharge', 475],
      ['total', 'Total'],
    ],
    ...{ signedSums: 'strong', rate: 6.25 },
  },
  {
    ...{
      ...american,
      id: 'tip-us',
      design: 'receipt',
      title: 'Receipt',
      seller: ['The Old Pier Diner', '12 Front St', 'Portland, ME 04101'],
    },
    ...{ to: '', buyer: [], number: '4502', date: '2025-05-21', due: null },
    facts: [
      ['Receipt #', '4502'],
      ['Date', '05/21/2025'],
    ],
    headings: [],
    lines: [line('Chowder', 2, 900), line('Lobster roll', 3, 2250)],
    sums: [
      ['net', 'Subtotal'],
      ['tax', 'Tax', 8],
      ['untaxed', 'Gratuity', 1500],
      ['total', 'Total'],
      ['paid', 'Visa ****1111', 10704],
    ],
    ...{ signedSums: 'strong', rate: null },
  },
  {
    ...{
      ...american,
      id: 'coupon-us',
      design: 'ledger',
      title: 'INVOICE',
      seller: ['Pier Software Inc.', '100 Dock St', 'Seattle, WA 98101'],
    },
    ...{
      to: 'Bill to',
      buyer: ['Jane Sample', '55 Hill Rd', 'Austin, TX 78701'],
      number: 'INV-20977',
      date: '2025-06-07',
      due: '2025-06-21',
    },
    facts: [
      ['Invoice number', 'INV-20977'],
      ['Date of issue', 'June 7, 2025'],
      ['Date due', 'June 21, 2025'],
    ],
    headings: ['Description', 'Qty', 'Unit price', 'Amount'],
    lines: [line('Pro plan', 3, 4900), line('Extra storage', 5, 1000)],
    sums: [
      ['net', 'Subtotal'],
      ['charge', 'WELCOME20 (20% off)', -3940],
      ['tax', 'Sales tax (10.25%)', 10.25],
      ['total', 'Total'],
      ['paid', 'Amount paid', 17375],
      ['due', 'Amount due'],
    ],
    ...{ signedSums: 'all', signedLines: true, rate: 10.25 },
  },
  {
    ...{
      id: 'two-taxes-ca',
      language: 'en',
      design: 'across',
      title: 'Invoice',
      seller: ['Maple Tools Inc.', '300 King Street', 'Vancouver BC V5K 0A1'],
    },
    ...{
      to: 'Sold to',
      buyer: ['Harbour Crafts Ltd', '12 Wharf Street', 'Victoria BC V8W 1T7'],
      number: '66120',
      date: '2025-09-18',
      due: '2025-10-18',
    },
    facts: [
      ['Invoice No', '66120'],
      ['Date', '18 September 2025'],
      ['Due Date', '18 October 2025'],
    ],
    headings: ['Description', 'Quantity', 'Unit Price', 'Amount'],
    lines: [line('Band saw blade', 6, 3495), line('Work bench', 2, 42900)],
    sums: [
      ['net', 'Subtotal'],
      ['tax', 'GST 5%', 5],
      ['tax', 'PST 7%', 7],
      ['untaxed', 'Eco fee', 425],
      ['total', 'Total CAD'],
    ],
    ...{ currency: 'CAD', style: 'point', sign: '$', signFirst: true, rate: null },
  },
]

const western: readonly Paper[] = [
  {
    ...{
      id: 'apostrophe-ch',
      language: 'de',
      design: 'form',
      title: 'Rechnung',
      seller: ['Bergholz Möbel AG', 'Seestrasse 40', '8002 Zürich', 'CHE-123.456.789 MWST'],
    },
    ...{
      to: '',
      buyer: ['Hotel Alpenblick AG', 'Dorfstrasse 1', '3818 Grindelwald'],
      number: '24-0917',
      date: '2025-03-28',
      due: '2025-04-27',
    },
    facts: [
      ['Rechnungsnummer', '24-0917'],
      ['Datum', '28.03.2025'],
      ['Zahlbar bis', '27.04.2025'],
    ],
    headings: ['Bezeichnung', 'Menge', 'Preis', 'Betrag'],
    lines: [line('Bett Arve', 12, 184500), line('Nachttisch', 24, 32000)],
    sums: [
      ['off', 'Mengenrabatt 5%', 5],
      ['charge', 'Lieferung und Montage', 95000],
      ['net', 'Zwischentotal'],
      ['tax', 'MWST 8.1%', 8.1],
      ['total', 'Total CHF'],
    ],
    ...{ currency: 'CHF', style: 'apostrophe', sign: '', rate: 8.1 },
  },
  {
    ...{
      id: 'bottles-de',
      language: 'de',
      design: 'letter',
      title: 'Rechnung',
      seller: ['Getränke Hoffmann GmbH', 'Brauweg 2', '96047 Bamberg'],
    },
    ...{ to: '', buyer: ['Frau Erika Beispiel', 'Weg 1', '01067 Dresden'], number: 'R-3318', date: '2025-07-04', due: '2025-07-18' },
    facts: [
      ['Rechnungs-Nr.', 'R-3318'],
      ['Datum', '04.07.2025'],
      ['Fällig am', '18.07.2025'],
    ],
    headings: ['Artikel', 'Menge', 'Preis', 'Betrag'],
    lines: [line('Pils Kasten', 10, 1499), line('Wasser Kasten', 6, 549)],
    sums: [
      ['net', 'Nettobetrag'],
      ['tax', 'MwSt. 19 %', 19],
      ['untaxed', 'Pfand', 5280],
      ['total', 'Rechnungsbetrag'],
    ],
    ...{ currency: 'EUR', style: 'comma', sign: '€', signedSums: 'all', rate: 19 },
  },
  {
    ...{
      id: 'eco-fr',
      language: 'fr',
      design: 'across',
      title: 'Facture',
      seller: ['Électro Loire SARL', '8 quai du Port', '44000 Nantes'],
    },
    ...{
      to: 'Client',
      buyer: ['Résidence Les Pins SAS', '22 rue du Moulin', '85100 Les Sables'],
      number: 'FA-2025-188',
      date: '2025-04-22',
      due: '2025-05-22',
    },
    facts: [
      ['Facture n°', 'FA-2025-188'],
      ['Date', '22/04/2025'],
      ['Échéance', '22/05/2025'],
    ],
    headings: ['Désignation', 'Qté', 'Prix unitaire', 'Montant'],
    lines: [line('Lave-linge 8 kg', 5, 38900), line('Pose', 5, 6000)],
    sums: [
      ['charge', 'Éco-participation', 4250],
      ['net', 'Total HT'],
      ['tax', 'TVA 20 %', 20],
      ['total', 'Total TTC'],
    ],
    ...{ currency: 'EUR', style: 'thin', sign: '€', signedSums: 'strong', rate: 20 },
  },
  {
    ...{
      id: 'withholding-es',
      language: 'es',
      design: 'form',
      title: 'Factura',
      seller: ['Estudio Pinar S.L.', 'Calle Mayor 30', '28013 Madrid'],
    },
    ...{
      to: 'Cliente',
      buyer: ['Bodegas Roble S.A.', 'Avenida del Río 4', '26200 Haro'],
      number: 'A/2025/041',
      date: '2025-02-27',
      due: '2025-03-29',
    },
    facts: [
      ['Factura nº', 'A/2025/041'],
      ['Fecha', '27/02/2025'],
      ['Vencimiento', '29/03/2025'],
    ],
    headings: ['Concepto', 'Cantidad', 'Precio', 'Importe'],
    lines: [line('Diseño de etiqueta', 2, 65000), line('Reunión', 3, 9000)],
    sums: [
      ['net', 'Base imponible'],
      ['tax', 'IVA 21%', 21],
      ['untaxed', 'Retención IRPF 15%', -23550],
      ['total', 'Total factura'],
    ],
    ...{ currency: 'EUR', style: 'comma', sign: '€', signedSums: 'all', rate: 21 },
  },
  {
    ...{
      id: 'freight-ja',
      language: 'ja',
      design: 'form',
      title: '請求書',
      seller: ['港木工株式会社', '海岸通り一丁目2-3', '〒650-0024 神戸市中央区'],
    },
    ...{
      to: '',
      buyer: ['青空旅館株式会社 御中', '本町4-5', '〒604-8001 京都市中京区'],
      number: 'S-2025-031',
      date: '2025-03-10',
      due: '2025-04-30',
    },
    facts: [
      ['請求書番号', 'S-2025-031'],
      ['発行日', '2025/03/10'],
      ['支払期限', '2025/04/30'],
    ],
    headings: ['品目', '数量', '単価', '金額'],
    lines: [line('座卓', 6, 48000), line('座布団', 40, 3200)],
    sums: [
      ['charge', '送料', 12000],
      ['net', '小計'],
      ['tax', '消費税 10%', 10],
      ['total', '合計金額'],
    ],
    ...{ currency: 'JPY', style: 'whole', sign: '¥', signFirst: true, signedSums: 'all', rate: 10 },
  },
]

/** In the order that designs take their typefaces from. */
export const papers: readonly Paper[] = [...nordic, ...eastern, ...english, ...western]
