import type { Vocabulary } from '../vocabulary.js'

/** Dutch invoice vocabulary. */
export const dutch: Vocabulary = {
  labels: {
    number:
      'nummer|factuurnummer|factuur nr|factuurnr|factuur nummer|factuur|nummer factuur|creditnota nr|creditnota|creditnotanummer|bonnummer|bon nr|bonnr|kassabon nr|creditfactuur|creditfactuurnummer|creditfactuur nr|nota nr|notanummer|factuur no',
    date: 'factuurdatum|datum factuur|datum|datum van uitgifte|uitgiftedatum|datum creditnota|factuur datum|creditdatum|opgesteld op|bondatum',
    due: 'vervaldatum|vervalt op|te betalen voor|betalen voor|uiterste betaaldatum|betaaldatum|vervaldag|te voldoen voor|betaling voor|uiterlijk|betalen uiterlijk|te betalen uiterlijk|betaaltermijn|te betalen uiterlijk op|uiterlijk op|betalen vóór|voldoen voor|te voldoen uiterlijk|uiterste betaaldag|gelieve te betalen voor|verval|vervaldatum factuur',
    terms: 'betalingsvoorwaarden|betalingstermijn|betalingsconditie|betalingscondities',
    supplier: 'leverancier|verkoper|van|afzender|dienstverlener|opdrachtnemer|factuur van',
    customer:
      'factuur aan|klant|factuuradres|koper|afnemer|gefactureerd aan|aan|debiteur|opdrachtgever|ontvanger|klantgegevens|factuur voor|klantnaam|geadresseerde|t a v|ter attentie van',
    shipTo: 'afleveradres|leveringsadres|bezorgadres|leveren aan|verzendadres|geleverd aan|levering aan|verzenden naar',
    currency: 'valuta|munt|bedragen in|alle bedragen in|prijzen in|munteenheid',
    other:
      'ordernummer|order nr|ordernr|bestelnummer|bestelling|inkoopnummer|klantnummer|klantnr|klant nr|debiteurnummer|debiteurnr|debiteur nr|btw nummer|btw nr|btwnr|btw id|btw identificatienummer|kvk|kvk nummer|kvk nr|kvknr|telefoon|tel|fax|mobiel|email|e mail|web|website|referentie|uw referentie|onze referentie|uw kenmerk|ons kenmerk|kenmerk|iban|bic|swift|bank|rekening|rekeningnummer|rekeningnr|pakbon|pakbonnummer|contract|contractnummer|project|projectnummer|projectnr|pagina|kassa|tafel|offerte|offertenummer|contactpersoon|betreft|betaalwijze|betaalmethode|ondernemingsnummer|rpr|oorspronkelijke factuur|betreft factuur|medewerker|uw ordernummer|omschrijving betaling|kassier|terminal|btw be|onder vermelding van|bediend door|uw btw nummer|inkooporder',
    otherDate:
      'leverdatum|besteldatum|orderdatum|periode|leveringsdatum|datum levering|verzenddatum|afleverdatum|datum bestelling|geleverd op|betaald op|prestatiedatum|factuurperiode|datum order',
    subtotal:
      'subtotaal|totaal excl btw|totaal exclusief btw|netto|nettobedrag|totaal netto|netto totaal|bedrag excl btw|excl btw|totaal ex btw|subtotaal excl btw|maatstaf van heffing|totaal zonder btw|bedrag exclusief btw|subtotaal exclusief btw|netto bedrag|bedrag ex btw|totaal excl|goederenbedrag|exclusief btw',
    tax: 'btw|btw bedrag|totaal btw|btw totaal|waarvan btw|inclusief btw bedrag|bedrag btw|b t w|btw hoog|btw laag|incl btw bedrag|btw tarief|te betalen btw|totaalbedrag btw|omzetbelasting|plus btw|btw over|waarvan btw bedrag|inbegrepen btw',
    taxBase: 'grondslag|btw grondslag|belastbaar bedrag|over|btw specificatie|grondslag btw',
    total:
      'totaal|totaalbedrag|totaal incl btw|totaal inclusief btw|factuurbedrag|eindtotaal|totaal factuur|bruto|totaal bruto|eindbedrag|totaal bedrag|bedrag incl btw|totaal eur|totaalbedrag incl btw|totaal incl|factuurtotaal|totaalbedrag inclusief btw|totaal factuurbedrag|bedrag inclusief btw|totaal creditnota|inclusief btw|incl btw',
    payable:
      'te betalen|te betalen bedrag|openstaand|openstaand bedrag|nog te betalen|saldo|restbedrag|totaal te betalen|te voldoen|resterend bedrag|openstaand saldo|nog te voldoen',
    prepaid:
      'aanbetaling|reeds betaald|voorschot|reeds voldaan|betaald|al betaald|vooruitbetaling|vooruitbetaald|ontvangen|min aanbetaling|ontvangen aanbetaling|betaald bedrag|aanbetaald|betaalde aanbetaling|af voorschot|voldaan|ontvangen betalingen',
    discount:
      'korting|totaal korting|klantkorting|betalingskorting|rabat|kwantumkorting|af korting|kortingsbedrag|actiekorting|min korting|factuurkorting|extra korting',
    shipping:
      'verzendkosten|vracht|porto|transportkosten|bezorgkosten|verzending|leveringskosten|portokosten|vrachtkosten|fooi|administratiekosten|statiegeld|toeslag|servicekosten|toeristenbelasting|verwijderingsbijdrage|verzekering|brandstoftoeslag',
    rounding: 'afronding|afrondingsverschil',
    carried:
      'transport|transporteren|transport van|te transporteren|subtotaal pagina|transport naar|overdracht|transport van pagina|vervolg|over te brengen|overgebracht',
    withheld: 'inhouding|g rekening',
  },
  headings: {
    position: 'pos|nr|regel|regelnr',
    code: 'artikelnummer|art nr|artikelnr|artnr|code|artikelcode|artikel nr|productcode',
    description:
      'omschrijving|beschrijving|artikel|product|dienst|artikelomschrijving|werkzaamheden|productomschrijving|naam|specificatie|dienst product|artikel omschrijving|product dienst|omschrijving werkzaamheden|activiteit',
    quantity: 'aantal|hoeveelheid|aant|uren|stuks|aantal uren|aantal stuks|dagen',
    unit: 'eenheid|ehd|per|eenh|ehd.',
    price:
      'prijs|stukprijs|eenheidsprijs|prijs per stuk|tarief|prijs excl btw|uurtarief|prijs per eenheid|prijs excl|prijs p st|prijs stuk|netto prijs|p st|prijs ex btw|prijs per uur|p e|eh prijs|stuksprijs|prijs eenheid|per stuk|ehd prijs',
    grossPrice: 'prijs incl btw|prijs inclusief btw|prijs incl',
    discount: 'korting|kort|korting %|krt',
    rate: 'btw|btw %|btw tarief|% btw|btw perc|btw percentage|tarief btw',
    tax: 'btw bedrag|bedrag btw|totaal btw',
    net: 'netto|totaal excl btw|bedrag excl btw|excl btw|netto bedrag|totaal excl|nettobedrag|bedrag excl|totaal netto|totaal ex btw|bedrag ex btw|subtotaal',
    gross: 'bruto|totaal incl btw|bedrag incl btw|incl btw|totaal incl|bedrag incl|totaal inclusief btw',
    amount:
      'bedrag|totaal|totaalprijs|totaalbedrag|regeltotaal|prijs totaal|regelbedrag|som|totale prijs|tot|totaal eur|bedrag eur|waarde|totaal prijs',
    date: 'datum|dag',
    skip: 'gewicht|kleur|maat|medewerker|herkomst|partij|btw code',
  },
  months:
    'januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep sept|oktober okt|november nov|december dec',
  common: 'het|een|en|voor|met|wij|uw|bedankt|binnen|dagen|van|op|onze|straat|graag|u|bij',
}
