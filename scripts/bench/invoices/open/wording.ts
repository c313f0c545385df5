export type Language = 'en' | 'us' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'ch'

/** What is printed in a language; several wordings are parted by bars. */
export interface Wording {
  readonly currency: string
  readonly rates: readonly number[]
  readonly title: string
  readonly credit: string
  readonly number: string
  readonly date: string
  readonly due: string
  readonly customer: string
  readonly order: string
  readonly account: string
  readonly position: string
  readonly description: string
  readonly quantity: string
  readonly price: string
  readonly rate: string
  readonly amount: string
  readonly subtotal: string
  readonly tax: string
  readonly total: string
  readonly paid: string
  readonly open: string
  readonly discount: string
  readonly carried: string
  readonly vatId: string
  readonly phone: string
  readonly thanks: string
  readonly units: string
  readonly dates: string
  readonly numbers: string
  readonly months: string
  readonly companies: string
  readonly streets: string
  readonly towns: string
  readonly people: string
  readonly goods: string
  readonly more: string
}

export const WORDING: Record<Language, Wording> = {
  en: {
    currency: 'GBP', rates: [20, 5],
    title: 'INVOICE|Tax Invoice|Invoice', credit: 'CREDIT NOTE',
    number: 'Invoice No.|Invoice number|Invoice #|Inv. No|Number', date: 'Invoice date|Date|Date of issue|Tax point', due: 'Due date|Payment due|Please pay by|Due by',
    customer: 'Bill to|Invoice to|Customer|Billed to', order: 'PO number|Your order', account: 'Customer no.|Account',
    position: '#|No.|Item', description: 'Description|Details|Item|Product', quantity: 'Qty|Quantity|Hours', price: 'Unit price|Price|Rate|Price each', rate: 'VAT|VAT %|VAT rate', amount: 'Amount|Total|Line total|Net amount',
    subtotal: 'Subtotal|Net total|Total excl. VAT|Sub-total', tax: 'VAT {r}%|VAT ({r} %)|VAT @ {r}%|plus {r}% VAT', total: 'Total|Total due|Grand total|Invoice total|Total incl. VAT', paid: 'Deposit paid|Less prepayment|Paid', open: 'Balance due|Amount due', discount: 'Discount', carried: 'Carried forward',
    vatId: 'VAT No. GB 318 4427 19', phone: 'Tel: +44 20 7946 0123', thanks: 'Thank you for your business. Please pay within 30 days quoting the invoice number.', units: 'pcs|h|days|',
    dates: 'D MMMM YYYY|DD/MM/YYYY|YYYY-MM-DD|D MMM YYYY', numbers: ',.', months: 'January February March April May June July August September October November December',
    companies: 'Harbour & Finch Ltd|Oakmere Joinery Limited|Blue Kestrel Design LLP|Tamar Instruments plc|Northgate Catering Ltd|R. Whitlock & Sons', streets: '14 Mill Lane|Unit 7, Station Road|221 Castle Street|3 The Old Brewery, Wharf Street', towns: 'Bristol BS1 4QA|Leeds LS2 8PB|London EC1V 2NX|Norwich NR3 1AB', people: 'Jane Dowell|Peter Marsh',
    goods: 'Oak shelf 120 cm|Site survey and report|Replacement filter cartridge|Logo design, second revision|Delivery of catering trays|Maintenance contract Q3|Copper pipe 22 mm|Training day on site', more: 'including two rounds of changes|Serial no. TX-4471, warranty 24 months|as agreed on the phone with Mrs Dowell',
  },
  us: {
    currency: 'USD', rates: [8.25, 6],
    title: 'INVOICE|Invoice', credit: 'CREDIT MEMO',
    number: 'Invoice #|Invoice No.|Invoice Number', date: 'Date|Invoice Date|Issued', due: 'Due Date|Payment Due|Due', customer: 'Bill To|Sold To|BILLED TO', order: 'P.O. #|PO Number', account: 'Customer ID',
    position: '#|Line', description: 'Description|Item|Service|Item Description', quantity: 'Qty|Hours|Quantity', price: 'Rate|Unit Price|Price|Unit Cost', rate: 'Tax|Tax %', amount: 'Amount|Total|Line Total',
    subtotal: 'Subtotal|Sub Total', tax: 'Sales Tax ({r}%)|Tax {r}%|Tax ({r}%)', total: 'Total|TOTAL|Total Due|Invoice Total', paid: 'Amount Paid|Deposit|Payments', open: 'Balance Due|Amount Due', discount: 'Discount', carried: 'Carried forward',
    vatId: 'EIN 47-2210934', phone: 'Phone (512) 555-0142', thanks: 'Make all checks payable to the company above. Terms: Net 30.', units: 'ea|hrs||',
    dates: 'MM/DD/YYYY|MMMM D, YYYY|M/D/YYYY|MMM D, YYYY', numbers: ',.', months: 'January February March April May June July August September October November December',
    companies: 'Cedar Bluff Supply Inc.|Lone Pine Roofing LLC|Brightwater Media Corp.|Galloway Dental Group|Mesa Print Works', streets: '4820 Burnet Road|77 W Madison Street, Suite 410|1509 Elm Avenue|PO Box 9921', towns: 'Austin, TX 78756|Chicago, IL 60602|Portland, OR 97205|Denver, CO 80218', people: 'Dana Reyes|Mark Olsen',
    goods: 'Roof inspection|Asphalt shingles, bundle|Web hosting, annual plan|Photography session|Business cards (500)|Consulting - March|Drywall repair|Labor', more: 'Color: charcoal, lot 2291|Includes travel time|Reprint of job 4402',
  },
  de: {
    currency: 'EUR', rates: [19, 7],
    title: 'Rechnung|RECHNUNG', credit: 'Gutschrift',
    number: 'Rechnungsnummer|Rechnungs-Nr.|Rechnung Nr.|Re.-Nr.|Belegnummer', date: 'Rechnungsdatum|Datum|Belegdatum', due: 'Fällig am|Zahlbar bis|Fälligkeitsdatum|Zahlungsziel', customer: 'Rechnungsempfänger|Rechnung an|Kunde', order: 'Bestellnummer|Auftrags-Nr.', account: 'Kundennummer|Kunden-Nr.',
    position: 'Pos.|Nr.|Pos', description: 'Bezeichnung|Beschreibung|Artikel|Leistung', quantity: 'Menge|Anzahl|Anz.', price: 'Einzelpreis|E-Preis|Preis|EP', rate: 'MwSt.|USt. %|MwSt. %|USt.', amount: 'Gesamtpreis|Gesamt|Betrag|G-Preis|Summe',
    subtotal: 'Zwischensumme|Nettobetrag|Summe netto|Gesamt netto', tax: 'zzgl. {r} % MwSt.|MwSt. {r}%|Umsatzsteuer {r} %|{r} % USt.', total: 'Gesamtbetrag|Rechnungsbetrag|Bruttobetrag|Gesamt brutto|Endbetrag|Zu zahlen', paid: 'abzgl. Anzahlung|Bereits bezahlt|Anzahlung', open: 'Restbetrag|Zahlbetrag|Offener Betrag', discount: 'Rabatt', carried: 'Übertrag',
    vatId: 'USt-IdNr. DE 298 441 307', phone: 'Tel. 0711 555 01 23', thanks: 'Bitte überweisen Sie den Betrag ohne Abzug unter Angabe der Rechnungsnummer. Vielen Dank für Ihren Auftrag.', units: 'Stk|h|Stück|m²|kg|',
    dates: 'DD.MM.YYYY|D. MMMM YYYY|DD.MM.YY|YYYY-MM-DD', numbers: '.,', months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    companies: 'Brunnhuber Metallbau GmbH|Lohmann & Petri OHG|Elektro Sacher e.K.|Waldkontor AG|Tischlerei Hansen GmbH & Co. KG|Praxis Dr. Ottilie Krug', streets: 'Lindenstraße 14|Am Alten Markt 3|Industriestr. 27a|Ringweg 110', towns: '70173 Stuttgart|24103 Kiel|01067 Dresden|50667 Köln', people: 'Anke Vollmer|Bernd Sauer',
    goods: 'Montage Geländer Treppenhaus|Aluprofil 40x40, eloxiert|Beratung vor Ort|Wartung Heizungsanlage|LED-Strahler 30 W|Fahrtkostenpauschale|Druckerpapier A4, 80 g|Software-Lizenz Jahresabo', more: 'inkl. Befestigungsmaterial|Liefertermin nach Absprache, Farbe RAL 7016|Seriennummer 88-4120', 
  },
  ch: {
    currency: 'CHF', rates: [8.1, 2.6],
    title: 'Rechnung', credit: 'Gutschrift',
    number: 'Rechnungsnummer|Rechnung Nr.', date: 'Datum|Rechnungsdatum', due: 'Zahlbar bis|Fällig am', customer: 'Rechnung an|Kunde', order: 'Auftrag', account: 'Kundennummer',
    position: 'Pos.', description: 'Bezeichnung|Beschreibung', quantity: 'Menge|Anzahl', price: 'Preis|Einzelpreis|Ansatz', rate: 'MWST|MwSt. %', amount: 'Total|Betrag|Total CHF',
    subtotal: 'Zwischentotal|Total netto|Subtotal', tax: 'MWST {r}%|{r}% MWST', total: 'Total|Rechnungsbetrag|Gesamttotal|Total inkl. MWST', paid: 'Akontozahlung|Anzahlung', open: 'Restbetrag|Noch zu zahlen', discount: 'Rabatt', carried: 'Übertrag',
    vatId: 'CHE-114.908.223 MWST', phone: 'Tel. +41 44 555 01 23', thanks: 'Zahlbar innert 30 Tagen. Besten Dank für Ihren Auftrag.', units: 'Std.|Stk.|',
    dates: 'DD.MM.YYYY|D. MMMM YYYY', numbers: '\'.', months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    companies: 'Bergblick Treuhand AG|Zollinger Sanitär GmbH|Velowerk Aare', streets: 'Bahnhofstrasse 12|Dorfweg 4|Seestrasse 201', towns: '8001 Zürich|3011 Bern|6003 Luzern', people: 'Reto Amstutz|Ursina Caduff',
    goods: 'Buchführung 3. Quartal|Service Boiler|Ersatzteil Dichtungssatz|Jahresabschluss|Bremsbelag vorne', more: 'gemäss Offerte vom Frühjahr|inkl. Kleinmaterial',
  },
  fr: {
    currency: 'EUR', rates: [20, 10, 5.5],
    title: 'FACTURE|Facture', credit: 'AVOIR',
    number: 'Facture n°|N° de facture|Numéro de facture|Facture N°', date: 'Date|Date de facturation|Date d\'émission|Date de facture', due: 'Échéance|Date d\'échéance|À régler avant le|Payable le', customer: 'Facturé à|Client|Adresse de facturation|Destinataire', order: 'N° commande|Votre commande', account: 'N° client|Code client',
    position: 'N°|Réf.', description: 'Désignation|Description|Libellé|Prestation', quantity: 'Qté|Quantité|Qté.', price: 'P.U. HT|Prix unitaire HT|PU HT|Prix unitaire', rate: 'TVA|Taux TVA|TVA %', amount: 'Total HT|Montant HT|Montant|Total',
    subtotal: 'Total HT|Sous-total HT|Montant total HT|Total hors taxes', tax: 'TVA {r} %|TVA ({r}%)|Montant TVA {r} %|TVA à {r}%', total: 'Total TTC|Montant total TTC|Total toutes taxes comprises|Net TTC', paid: 'Acompte versé|Déjà réglé|Acompte', open: 'Net à payer|Reste à payer|Solde à régler', discount: 'Remise', carried: 'Report',
    vatId: 'TVA intracommunautaire FR 61 402 887 115', phone: 'Tél. 04 72 55 01 23', thanks: 'En cas de retard de paiement, une indemnité forfaitaire de 40 € sera appliquée. Merci de votre confiance.', units: 'h|u|m²|jours|',
    dates: 'DD/MM/YYYY|D MMMM YYYY|DD-MM-YYYY|DD.MM.YYYY', numbers: ' ,', months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    companies: 'Atelier Vernay SARL|Menuiserie Coudert SAS|Les Jardins de Luce|Imprimerie Baudry SA|Conseil & Méthode EURL', streets: '12 rue de la République|8 bis, avenue Foch|45 chemin des Vignes|3 place du Marché', towns: '69002 Lyon|33000 Bordeaux|75011 Paris|44000 Nantes', people: 'Claire Besson|Yves Tardieu',
    goods: 'Pose de parquet chêne|Taille de haies|Impression dépliants A5|Peinture blanche mate 10 L|Formation initiale|Déplacement|Étude de faisabilité|Fourniture de vis inox', more: 'y compris évacuation des déchets|papier couché 135 g, recto verso|selon devis accepté',
  },
  es: {
    currency: 'EUR', rates: [21, 10],
    title: 'FACTURA|Factura', credit: 'FACTURA RECTIFICATIVA',
    number: 'Factura nº|N.º de factura|Número de factura|Nº factura', date: 'Fecha|Fecha de emisión|Fecha de factura|Fecha de expedición', due: 'Vencimiento|Fecha de vencimiento|Vence el', customer: 'Cliente|Facturar a|Datos del cliente', order: 'Pedido|Su pedido', account: 'Cód. cliente|Nº cliente',
    position: 'Nº|Ref.', description: 'Descripción|Concepto|Artículo', quantity: 'Cantidad|Cant.|Uds.', price: 'Precio|Precio unitario|P. unitario|Precio ud.', rate: 'IVA|% IVA|Tipo IVA', amount: 'Importe|Total|Importe total',
    subtotal: 'Base imponible|Subtotal|Total neto', tax: 'IVA {r}%|IVA ({r} %)|Cuota IVA {r}%|I.V.A. {r} %', total: 'Total|TOTAL FACTURA|Importe total|Total a pagar', paid: 'Anticipo|Pagado a cuenta|Entrega a cuenta', open: 'Pendiente de pago|A pagar', discount: 'Descuento', carried: 'Suma y sigue',
    vatId: 'NIF B-83120447', phone: 'Tel. 915 550 123', thanks: 'Gracias por su confianza. Forma de pago: transferencia a 30 días.', units: 'ud.|h|m|',
    dates: 'DD/MM/YYYY|D de MMMM de YYYY|DD-MM-YYYY', numbers: '.,', months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    companies: 'Talleres Arriaga S.L.|Bodegas Montelar S.A.|Diseño Quintana S.L.U.|Ferretería La Unión|Gestoría Peral y Cía', streets: 'Calle Mayor, 24|Avda. de la Constitución 110, 3º B|Polígono Sur, nave 7|C/ Olmo 5', towns: '28013 Madrid|41001 Sevilla|08010 Barcelona|46002 Valencia', people: 'Lucía Navarro|Tomás Rey',
    goods: 'Reparación de bomba hidráulica|Caja de vino tinto crianza|Diseño de catálogo|Juego de llaves fijas|Asesoría fiscal trimestral|Mano de obra|Portes', more: 'incluye desplazamiento y dietas|cosecha 2022, 6 botellas|según presupuesto aceptado',
  },
  it: {
    currency: 'EUR', rates: [22, 10, 4],
    title: 'FATTURA|Fattura', credit: 'NOTA DI CREDITO',
    number: 'Fattura n.|Numero fattura|N. fattura|Fattura nr.|N. documento', date: 'Data|Data fattura|Data documento|Data emissione', due: 'Scadenza|Data scadenza|Scadenza pagamento', customer: 'Cliente|Spett.le|Destinatario|Intestatario', order: 'Vs. ordine|Ordine n.', account: 'Codice cliente|Cod. cliente',
    position: 'N.|Pos.', description: 'Descrizione|Articolo|Prodotto', quantity: 'Q.tà|Quantità|Qta', price: 'Prezzo unitario|Prezzo|Prezzo unit.|P. unitario', rate: 'IVA|Aliquota|Aliq. IVA|IVA %', amount: 'Importo|Totale|Prezzo totale',
    subtotal: 'Imponibile|Totale imponibile|Subtotale', tax: 'IVA {r}%|IVA ({r}%)|Imposta {r}%|Totale IVA {r}%', total: 'Totale fattura|Totale|Totale documento|Totale complessivo', paid: 'Acconto versato|Acconto|Già pagato', open: 'Totale da pagare|Netto a pagare|Saldo', discount: 'Sconto', carried: 'Riporto',
    vatId: 'P. IVA 03319870964', phone: 'Tel. 02 555 0123', thanks: 'Pagamento a mezzo bonifico bancario. Grazie per averci scelto.', units: 'pz|h|kg|',
    dates: 'DD/MM/YYYY|D MMMM YYYY|DD.MM.YYYY|DD-MM-YYYY', numbers: '.,', months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    companies: 'Officine Bertani S.r.l.|Studio Ferraro|Caffè del Porto S.n.c.|Grafiche Lombardi S.p.A.|Serramenti Galli Srl', streets: 'Via Garibaldi 18|Viale Europa, 102|Piazza San Marco 4|Corso Vittorio Emanuele 55', towns: '20121 Milano (MI)|40126 Bologna|10121 Torino TO|00184 Roma (RM)', people: 'Giulia Conti|Paolo Neri',
    goods: 'Sostituzione infissi|Consulenza tecnica|Miscela caffè arabica 1 kg|Stampa manifesti 70x100|Manodopera|Trasporto e installazione|Guarnizione in gomma', more: 'compreso smaltimento|carta patinata opaca, 4 colori|come da preventivo n. 88',
  },
  nl: {
    currency: 'EUR', rates: [21, 9],
    title: 'FACTUUR|Factuur', credit: 'CREDITNOTA',
    number: 'Factuurnummer|Factuurnr.|Factuur nr.', date: 'Factuurdatum|Datum', due: 'Vervaldatum|Te betalen voor|Uiterste betaaldatum', customer: 'Factuur aan|Klant|Factuuradres', order: 'Ordernummer|Uw referentie', account: 'Klantnummer|Debiteurnummer',
    position: 'Nr.|Regel', description: 'Omschrijving|Artikel|Beschrijving', quantity: 'Aantal|Aant.', price: 'Prijs|Stukprijs|Prijs per stuk|Tarief', rate: 'BTW|BTW %|Btw-tarief', amount: 'Bedrag|Totaal|Totaal excl. btw',
    subtotal: 'Subtotaal|Totaal excl. btw|Netto bedrag', tax: 'BTW {r}%|{r}% btw|Btw ({r}%)', total: 'Totaal|Totaal incl. btw|Totaalbedrag|Te betalen', paid: 'Aanbetaling|Reeds betaald|Voorschot', open: 'Nog te betalen|Openstaand bedrag', discount: 'Korting', carried: 'Transport',
    vatId: 'BTW NL 8120.44.719.B01', phone: 'Tel. 020 555 0123', thanks: 'Wij verzoeken u het bedrag binnen 14 dagen over te maken onder vermelding van het factuurnummer.', units: 'st.|uur|',
    dates: 'DD-MM-YYYY|D MMMM YYYY|DD/MM/YYYY', numbers: '.,', months: 'januari februari maart april mei juni juli augustus september oktober november december',
    companies: 'Van der Meulen Installaties B.V.|Bakkerij De Korenaar|Studio Noordzij|Groothandel Prins B.V.', streets: 'Keizersgracht 214|Stationsplein 9|Molenweg 33-B', towns: '1016 DX Amsterdam|3511 CE Utrecht|9711 LM Groningen', people: 'Sanne de Wit|Joris Bakker',
    goods: 'Installatie cv-ketel|Onderhoudsbeurt|Taart 12 personen|Ontwerp huisstijl|Thermostaatkraan|Voorrijkosten', more: 'inclusief montagemateriaal|volgens offerte|twee correctierondes inbegrepen',
  },
  pt: {
    currency: 'EUR', rates: [23, 13, 6],
    title: 'FATURA|Fatura', credit: 'NOTA DE CRÉDITO',
    number: 'Fatura n.º|Fatura nº|Número da fatura|N.º da fatura', date: 'Data|Data de emissão|Data da fatura', due: 'Data venc.|Data de vencimento|Vencimento', customer: 'Cliente|Faturado a|Exmo(s). Sr(s).', order: 'Encomenda n.º|V/ referência', account: 'Cód. cliente|N.º cliente',
    position: 'N.º|Código', description: 'Descrição|Designação|Artigo', quantity: 'Quantidade|Qtd.|Qt.', price: 'Preço unitário|Preço|Pr. unit.|Preço unit.', rate: 'IVA|IVA %|Taxa IVA', amount: 'Total|Valor|Total líquido|Montante',
    subtotal: 'Subtotal|Total ilíquido|Total sem IVA|Incidência', tax: 'IVA {r}%|IVA ({r}%)|Total IVA {r}%', total: 'Total|Total da fatura|Total com IVA|Total a pagar', paid: 'Adiantamento|Já pago|Sinal', open: 'Valor a pagar|Saldo|Em dívida', discount: 'Desconto', carried: 'A transportar',
    vatId: 'NIF 508 114 902', phone: 'Tel. 213 555 012', thanks: 'Obrigado pela preferência. Processado por programa certificado.', units: 'un|h|',
    dates: 'DD/MM/YYYY|D de MMMM de YYYY|DD-MM-YYYY|YYYY-MM-DD', numbers: '.,', months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    companies: 'Carpintaria Sousa, Lda.|Águas do Vale S.A.|Papelaria Central Unipessoal Lda|Teixeira & Filhos, Lda', streets: 'Rua das Flores, 31|Av. da Liberdade 180, 4.º Esq.|Travessa do Carmo n.º 7', towns: '1250-096 Lisboa|4000-322 Porto|3000-150 Coimbra', people: 'Inês Tavares|Rui Matos',
    goods: 'Porta em madeira de pinho|Garrafão 19 L|Resma papel A4|Assistência técnica|Deslocação|Envernizamento', more: 'incluindo ferragens|conforme orçamento aprovado',
  },
  pl: {
    currency: 'PLN', rates: [23, 8],
    title: 'Faktura VAT|FAKTURA|Faktura', credit: 'Faktura korygująca',
    number: 'Faktura nr|Numer faktury|Nr faktury|Faktura VAT nr', date: 'Data wystawienia|Wystawiono dnia|Data faktury', due: 'Termin płatności|Płatne do|Termin zapłaty', customer: 'Nabywca|Kupujący|Odbiorca', order: 'Zamówienie nr', account: 'Nr klienta',
    position: 'Lp.|Lp', description: 'Nazwa|Nazwa towaru lub usługi|Opis', quantity: 'Ilość|Ilość', price: 'Cena netto|Cena jedn.|Cena jednostkowa netto', rate: 'VAT|Stawka VAT|VAT %', amount: 'Wartość netto|Kwota netto|Wartość',
    subtotal: 'Razem netto|Wartość netto|Suma netto', tax: 'VAT {r}%|Kwota VAT {r}%|Podatek VAT {r}%', total: 'Razem do zapłaty|Razem brutto|Wartość brutto|Suma brutto', paid: 'Zapłacono|Zaliczka|Wpłacono', open: 'Pozostało do zapłaty|Do zapłaty', discount: 'Rabat', carried: 'Do przeniesienia',
    vatId: 'NIP 526-104-08-28', phone: 'tel. 22 555 01 23', thanks: 'Dziękujemy za współpracę. Prosimy o przelew na podane konto.', units: 'szt.|godz.|kg|',
    dates: 'DD.MM.YYYY|YYYY-MM-DD|D MMMM YYYY r.|DD-MM-YYYY', numbers: ' ,', months: 'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
    companies: 'Stolarnia Dąbek Sp. z o.o.|Kwiaciarnia Magnolia|Hurtownia Elmax S.A.|Usługi Budowlane Jan Wilk', streets: 'ul. Długa 14/3|al. Jerozolimskie 112|ul. Polna 7', towns: '00-238 Warszawa|31-146 Kraków|80-831 Gdańsk', people: 'Anna Zielińska|Marek Pawlak',
    goods: 'Krzesło dębowe|Bukiet okolicznościowy|Przewód YDY 3x2,5|Malowanie ścian|Dostawa i montaż|Konsultacja projektowa', more: 'kolor orzech, lakier matowy|zgodnie z ofertą',
  },
}
