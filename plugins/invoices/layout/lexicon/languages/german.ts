import type { Vocabulary } from '../vocabulary.js'

/** German invoice vocabulary. */
export const german: Vocabulary = {
  labels: {
    number:
      'nummer|rechnungsnummer|rechnungs nr|rechnung nr|rechnungsnr|rechnung nummer|re nr|rg nr|rn nr|belegnummer|beleg nr|belegnr|gutschriftsnummer|gutschrift nr|gutschriftnummer|gutschriftsnr|bon nr|bonnr|bon|quittungsnummer|quittung nr|faktura nr|fakturanummer|fakturanr|dokumentnummer|rechnung|gutschrift|rechnungskorrektur nr|rechnungskorrektur|stornorechnung nr|stornorechnung|abschlagsrechnung nr|schlussrechnung nr|abschlagsrechnung|schlussrechnung|quittung|nummer der rechnung|kassenbon nr|rechnungs no',
    date: 'rechnungsdatum|datum der rechnung|datum|belegdatum|ausstellungsdatum|rechnung vom|ausgestellt am|vom|gutschriftsdatum|gutschriftdatum|rechnungs datum|fakturadatum|rg datum|re datum|den|erstellt am|ausgestellt|rechnungsdat|dat',
    due: 'falligkeitsdatum|fallig am|fallig|falligkeit|zahlbar bis|zahlungsziel|zahlbar bis zum|zu zahlen bis|zahlung bis|bitte zahlen bis|falligkeitstag|zahlungsfrist|faellig am|faelligkeitsdatum|faellig|faelligkeit|zahlungstermin|netto bis|spatestens bis|spatestens am|bis zum|bis spatestens|ohne abzug bis|zahlungsziel bis|zahlungsdatum|fallig bis|rein netto bis',
    terms: 'zahlungsbedingungen|zahlungsbedingung|zahlungskonditionen|zahlbar innerhalb|zahlbar in|zahlungsziel',
    supplier:
      'rechnungssteller|verkaufer|lieferant|leistungserbringer|von|absender|aussteller|anbieter|auftragnehmer|rechnung von|kreditor|leistender unternehmer',
    customer:
      'rechnungsempfanger|rechnung an|kunde|kaufer|empfanger|auftraggeber|rechnungsadresse|rechnungsanschrift|an|leistungsempfanger|besteller|debitor|kundin|adressat|an firma|kunden name|kundenname|rechnungsempfaenger|fur|ihre anschrift',
    shipTo: 'lieferadresse|lieferanschrift|lieferung an|versand an|warenempfanger|versandadresse|leistungsort|lieferempfanger',
    currency: 'wahrung|alle betrage in|betrage in|alle preise in|preise in|angaben in|waehrung',
    other:
      'bestellnummer|bestell nr|bestellnr|auftragsnummer|auftrags nr|auftragsnr|kundennummer|kunden nr|kundennr|kd nr|steuernummer|steuer nr|st nr|ust id|ust id nr|ust idnr|ust ident nr|umsatzsteuer id|umsatzsteuer identifikationsnummer|ustid|uid|uid nr|mwst nr|mwst nummer|handelsregister|hrb|hra|fn|amtsgericht|geschaftsfuhrer|telefon|tel|fax|mobil|e mail|email|internet|web|webseite|referenz|ihr zeichen|unser zeichen|ihre referenz|unsere referenz|iban|bic|swift|bank|bankverbindung|konto|kontonummer|blz|lieferschein|lieferschein nr|lieferscheinnummer|lieferscheinnr|vertragsnummer|vertrag|vertrags nr|vertragskonto|projekt|projektnummer|projekt nr|ansprechpartner|ansprechpartnerin|bearbeiter|sachbearbeiter|kasse|bediener|kassierer|tisch|filiale|seite|angebot|angebotsnummer|angebot nr|betreff|ihre bestellung|verwendungszweck|zahlungsart|terminal|terminal id|ta nr|trace nr|zahlungsreferenz|ihre kundennummer|kostenstelle|zu rechnung|zu rechnung nr|ursprungsrechnung|originalrechnung|bezug rechnung|firmenbuchnummer|bestellung|auftrag|ihr auftrag|che|kundenreferenz|glaubiger id|zahlungsweise|ihre ust id|ihre ust idnr|gerichtsstand|zahlerstand|zahlernummer|signaturzahler|seriennummer',
    otherDate:
      'lieferdatum|leistungsdatum|liefertermin|bestelldatum|auftragsdatum|leistungszeitraum|abrechnungszeitraum|zeitraum|druckdatum|lieferdatum entspricht rechnungsdatum|leistung vom|lieferung vom|versanddatum|bezahlt am|bestellung vom|auftrag vom|rechnung vom original|lieferschein vom|datum der leistung|tag der lieferung|tag der leistung|liefer leistungsdatum|leistungsmonat|skonto bis|angebot vom|lieferzeitpunkt|valuta',
    subtotal:
      'zwischensumme|nettobetrag|netto|summe netto|gesamt netto|netto gesamt|nettosumme|gesamtnetto|gesamtbetrag netto|summe|warenwert|netto summe|rechnungsbetrag netto|gesamtsumme netto|total netto|zwischensumme netto|nettowarenwert|summe positionen|gesamtpreis netto|zwischentotal|betrag netto|zwischensumme ohne mwst|nettorechnungsbetrag|total exkl mwst|subtotal|total ohne mwst|gesamt ohne mwst|positionen netto|summe ohne mwst|summe exkl mwst|netto betrag|endbetrag netto|summe ohne ust|gesamt exkl mwst|warenwert netto|zwischentotal',
    tax: 'mwst|ust|umsatzsteuer|mehrwertsteuer|zzgl mwst|zzgl ust|zzgl umsatzsteuer|zzgl mehrwertsteuer|mwst betrag|steuerbetrag|steuer|inkl mwst|enthaltene mwst|gesamt mwst|summe mwst|mwst gesamt|plus mwst|enthalt mwst|davon mwst|ust betrag|steuerbetrag gesamt|inkl ust|enthaltene umsatzsteuer|enthaltene ust|summe ust|summe umsatzsteuer|steuern|gesamtsteuer|vat|enthaltene mehrwertsteuer|darin enthaltene mwst|mwst total|total mwst|zuzuglich mwst|zuzuglich umsatzsteuer|gesetzl mwst|umsatzsteuerbetrag|mwst summe|zzgl gesetzl mwst|darin mwst|inkl mehrwertsteuer|mwstbetrag|zuzuglich mehrwertsteuer|steuersumme|steuer gesamt',
    taxBase: 'steuerbasis|bemessungsgrundlage|nettobetrag zu|netto zu|steuergrundlage|bemessungsgrundlage zu|mwst satz|steuersatz|ust satz',
    total:
      'gesamtbetrag|rechnungsbetrag|gesamt|gesamtsumme|bruttobetrag|brutto|endbetrag|total|summe brutto|gesamt brutto|zu zahlen|rechnungssumme|endsumme|rechnungsendbetrag|gesamtbetrag brutto|bruttosumme|gesamtpreis|summe eur|gesamtbetrag inkl mwst|total inkl mwst|summe inkl mwst|gesamt inkl mwst|gutschriftsbetrag|gutschriftbetrag|brutto gesamt|total chf|total eur|gesamtsumme brutto|zu zahlender gesamtbetrag|gesamtbetrag inkl ust|rechnungsbetrag brutto|gesamt eur|betrag|rechnungstotal|gesamttotal|bruttoendbetrag|gesamtbetrag eur|rechnungsbetrag inkl mwst|summe inkl ust|total brutto|bruttorechnungsbetrag|gesamtbrutto|endpreis|erstattungsbetrag|betrag brutto',
    payable:
      'zahlbetrag|offener betrag|restbetrag|noch zu zahlen|fälliger betrag|zu zahlender betrag|zahlungsbetrag|falliger betrag|restzahlung|verbleibender betrag|offen|zu bezahlen|restforderung|noch offen|offener rechnungsbetrag|restsumme|verbleibend|noch zu zahlender betrag|offener restbetrag|saldo|verbleibender zahlbetrag|noch zu begleichen',
    prepaid:
      'anzahlung|bereits bezahlt|abzuglich anzahlung|geleistete anzahlung|vorauszahlung|abschlag|abschlagszahlung|bereits gezahlt|bezahlt|abzgl anzahlung|erhaltene anzahlung|anzahlung erhalten|zahlung|geleistete zahlungen|bereits geleistet|abzuglich vorauszahlung|akonto|akontozahlung|erhaltene anzahlungen|teilzahlung|abzgl vorauszahlung|abzgl abschlag|abzgl bereits gezahlt|erhaltene zahlungen|abzuglich bereits gezahlter betrag|abzgl akonto|bereits geleistete anzahlung|abzgl geleistete anzahlung|vorausbezahlt',
    discount:
      'rabatt|nachlass|abzgl rabatt|preisnachlass|skonto|gutschein|treuerabatt|kundenrabatt|mengenrabatt|gesamtrabatt|abzuglich rabatt|sonderrabatt|rabattbetrag|aktion|coupon|rechnungsrabatt|stammkundenrabatt|preisvorteil',
    shipping:
      'versand|versandkosten|porto|fracht|lieferkosten|versand und verpackung|transportkosten|versandkostenpauschale|verpackung|frachtkosten|versandpauschale|porto und verpackung|trinkgeld|zuschlag|anfahrt|fahrtkosten|lieferpauschale|pfand|mautzuschlag|gebuhr|bearbeitungsgebuhr|servicegebuhr|kulturtaxe|kurtaxe|citytax|energiezuschlag|lieferung und montage|lieferung|expresszuschlag|mindermengenzuschlag|versicherung|reinigungspauschale',
    rounding: 'rundung|rundungsdifferenz|rundungsausgleich',
    carried:
      'ubertrag|zwischensumme seite|vortrag|ubertrag von seite|seitensumme|ubertrag auf seite|fortsetzung|summe seite|uebertrag|fortsetzung auf seite|zwischensumme ubertrag|seitenubertrag',
    withheld: 'einbehalt|sicherheitseinbehalt|gewahrleistungseinbehalt|steuerabzug|abzugsteuer',
  },
  headings: {
    position: 'pos|nr|position|lfd nr|pos nr|lfd|posnr',
    code: 'artikelnummer|art nr|artikel nr|artnr|artikelnr|best nr|sku|produktnummer|art no|material|materialnummer|artikel no|code|bestellnr|ean',
    description:
      'beschreibung|bezeichnung|artikel|leistung|produkt|artikelbezeichnung|leistungsbeschreibung|text|position|warenbezeichnung|produktbezeichnung|gegenstand|dienstleistung|tatigkeit|artikelbeschreibung|leistung artikel|ware|artikel leistung|leistungen|leistungsart|bezeichnung der leistung|leistung beschreibung|artikel bezeichnung|produktbeschreibung|artikelname',
    quantity: 'menge|anzahl|anz|stuck|stunden|std|stk|mge|tage|menge einheit|menge stk|stuckzahl',
    unit: 'einheit|me|eh|einh|mengeneinheit|ein heit|einht',
    price:
      'einzelpreis|preis|e preis|ep|stuckpreis|preis einheit|preis pro einheit|einheitspreis|nettopreis|satz|stundensatz|einzelpreis netto|preis netto|preis stk|e preis netto|netto preis|ansatz|preis je einheit|einzel|vk|stk preis|epreis|nettoeinzelpreis|preis st|einzelpr|einzelpreis ohne mwst|preis pro stuck|einzelnetto|ek|netto einzelpreis|preis chf|preis eur|stueckpreis|einzelbetrag',
    grossPrice: 'bruttopreis|einzelpreis brutto|preis brutto|brutto einzelpreis|preis inkl mwst|brutto preis',
    discount: 'rabatt|rab|nachlass|rabatt %|rab %',
    rate: 'mwst|ust|mwst %|ust %|steuersatz|mwst satz|steuer|ust satz|steuer %|mw st|st satz|mwst in %|satz %|ust in %|umsatzsteuer|mehrwertsteuer|steuersatz %|mwstsatz',
    tax: 'mwst betrag|steuerbetrag|ust betrag|mwst eur|steuer eur|steuerbetrag eur',
    net: 'netto|nettobetrag|gesamt netto|gesamtpreis netto|summe netto|betrag netto|netto gesamt|netto eur|netto betrag|netto summe|nettowert|wert netto|total netto|gesamt netto eur|netto chf|gesamtnetto|gesamt exkl mwst|nettosumme',
    gross:
      'brutto|bruttobetrag|gesamt brutto|gesamtpreis brutto|summe brutto|betrag brutto|brutto eur|gesamt inkl mwst|total brutto|bruttosumme|bruttowert|brutto gesamt|total inkl mwst|inkl mwst',
    amount:
      'betrag|gesamt|gesamtpreis|summe|total|g preis|gp|wert|gesamtbetrag|preis gesamt|endpreis|gpreis|gesamtsumme|gesamtpr|positionssumme|zeilensumme|gesamt eur|betrag eur|summe eur|gesamtpreis eur|total eur|betrag chf|total chf|positionswert',
    date: 'datum|leistungsdatum|tag|leistungstag',
    skip: 'gewicht|farbe|grosse|charge|seriennummer|herkunft|mitarbeiter|ursprung|lieferschein|zolltarif|code mwst|konto|serien nr',
  },
  months:
    'januar jan janner jaenner|februar feb febr|marz mrz maerz|april apr|mai|juni jun|juli jul|august aug|september sep sept|oktober okt|november nov|dezember dez',
  common: 'der|die|das|und|fur|mit|wir|bitte|tagen|innerhalb|ihre|ihr|den|auf|zum|nach|vielen|dank|uns|geschaftsfuhrer|strasse|ohne|abzug',
}
