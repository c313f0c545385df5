/** The words of papers: three ways to say each, one a layout. */
interface Wording {
  readonly invoice: string
  readonly credit: string
  readonly number: string
  readonly date: string
  readonly due: string
  readonly to: string
  readonly description: string
  readonly quantity: string
  readonly unit: string
  readonly rate: string
  readonly amount: string
  readonly subtotal: string
  readonly discount: string
  readonly net: string
  readonly tax: string
  readonly total: string
  readonly prepaid: string
  readonly balance: string
  /** Figures beside the ones that count. */
  readonly order: string
  readonly account: string
  readonly delivered: string
  readonly thanks: string
}

const KEYS = `invoice credit number date due to description quantity unit rate amount subtotal discount net tax total prepaid balance order account delivered thanks`

/** In the order of KEYS; the alternatives of one word are separated by a slash. */
const WORDS: Readonly<Record<string, string>> = {
  en: `Invoice/INVOICE/Tax invoice|Credit note/CREDIT NOTE/Credit memo|Invoice no./Invoice number/Inv #|Invoice date/Issued/Date|Due date/Payment due/Pay by
    |Bill to/Billed to/Customer|Description/Service/Item|Qty/Quantity/Qty|Unit price/Rate/Price|VAT %/Tax/VAT|Amount/Total/Amount|Subtotal/Subtotal/Goods
    |Discount/Less discount/Discount|Net total/Total before tax/Net|VAT/Sales tax/VAT|Total/Invoice total/TOTAL|Paid in advance/Less deposit/Deposit paid
    |Amount due/Balance due/To pay|Your order/PO number/Order|Customer no./Account/Cust. no.|Delivery date/Service date/Delivered
    |Thank you for your business./Questions? Write to accounts@example.com./Goods remain ours until paid.`,
  de: `Rechnung/RECHNUNG/Rechnung|Gutschrift/GUTSCHRIFT/Rechnungskorrektur|Rechnungsnummer/Rechnungs-Nr./Beleg-Nr.|Rechnungsdatum/Datum/Datum
    |Fällig am/Zahlbar bis/Fälligkeit|Rechnungsempfänger/An/Kunde|Bezeichnung/Leistung/Artikel|Menge/Anzahl/Menge|Einzelpreis/Preis je Einheit/E-Preis
    |MwSt./USt. %/USt|Gesamtpreis/Betrag/G-Preis|Zwischensumme/Summe Positionen/Warenwert|Rabatt/Nachlass/Abzug|Nettobetrag/Summe netto/Netto
    |MwSt./Umsatzsteuer/USt|Gesamtbetrag/Rechnungsbetrag/Brutto|Anzahlung/Bereits gezahlt/Vorauszahlung|Zu zahlen/Offener Betrag/Restbetrag
    |Bestellnummer/Ihre Bestellung/Auftrag|Kundennummer/Kunden-Nr./Kd.-Nr.|Lieferdatum/Leistungsdatum/Geliefert
    |Vielen Dank für Ihren Auftrag./Bitte überweisen Sie ohne Abzug./Es gelten unsere Bedingungen.`,
  fr: `Facture/FACTURE/Facture|Avoir/AVOIR/Note de crédit|Facture n°/Numéro de facture/N° facture|Date de facturation/Date d'émission/Date
    |Date d'échéance/Échéance/À régler avant le|Facturé à/Client/Destinataire|Désignation/Description/Libellé|Quantité/Qté/Qté|Prix unitaire HT/P.U. HT/PU HT
    |TVA/Taux TVA/TVA|Montant HT/Total HT/Mt HT|Sous-total/Total des lignes/Sous-total|Remise/Remise commerciale/Rabais|Total HT/Montant HT/Base HT|TVA/Total TVA/TVA
    |Total TTC/Montant TTC/TOTAL TTC|Acompte versé/Acompte/Déjà réglé|Net à payer/Reste à payer/Solde dû|Commande n°/Votre commande/Cde
    |N° client/Code client/Réf. client|Date de livraison/Livré le/Livraison|Merci de votre confiance./Règlement par virement./Pas d'escompte.`,
  es: `Factura/FACTURA/Factura|Factura rectificativa/NOTA DE CRÉDITO/Abono|Número de factura/Factura n.º/Nº factura|Fecha de factura/Fecha de emisión/Fecha
    |Fecha de vencimiento/Vencimiento/Vence|Facturar a/Cliente/Cliente|Descripción/Concepto/Artículo|Cantidad/Unidades/Cant.|Precio unitario/Precio/P. unit.
    |IVA/% IVA/IVA|Importe/Total/Importe|Subtotal/Suma/Suma|Descuento/Dto. comercial/Descuento|Base imponible/Base imponible/Base|IVA/Cuota IVA/IVA
    |Total factura/Total/TOTAL|Anticipo/A cuenta/Entregado a cuenta|Total a pagar/Pendiente/A pagar|Pedido/Su pedido/Ped.|N.º de cliente/Código cliente/Cód. cliente
    |Fecha de entrega/Entregado/Entrega|Gracias por su confianza./Pago por transferencia./Conserve este documento.`,
  it: `Fattura/FATTURA/Fattura|Nota di credito/NOTA DI CREDITO/Nota di credito|Fattura n./Numero fattura/Fatt. n.|Data fattura/Data emissione/Data
    |Scadenza/Data di scadenza/Da pagare entro|Destinatario/Spett.le/Cliente|Descrizione/Servizio/Articolo|Quantità/Q.tà/Q.tà
    |Prezzo unitario/Prezzo/Pr. unit.|Aliquota IVA/IVA %/IVA|Importo/Totale/Importo|Subtotale/Totale merce/Merce|Sconto/Sconto incondizionato/Sconto
    |Imponibile/Totale imponibile/Imponibile|IVA/Totale imposta/Imposta|Totale fattura/Totale documento/TOTALE|Acconto versato/Acconto/Acconto
    |Netto a pagare/Saldo/Da pagare|Ordine/Vs. ordine/Ord.|Codice cliente/N. cliente/Cod. cliente|Data consegna/Consegnato/Consegna
    |Grazie per la fiducia./Pagamento con bonifico./Contributo assolto.`,
  nl: `Factuur/FACTUUR/Factuur|Creditnota/CREDITFACTUUR/Creditnota|Factuurnummer/Factuurnr./Nr.|Factuurdatum/Datum/Datum|Vervaldatum/Te betalen voor/Betalen voor
    |Factuur aan/Aan/Klant|Omschrijving/Dienst/Artikel|Aantal/Aantal/Aant.|Prijs per stuk/Tarief/Prijs|BTW/BTW %/BTW|Bedrag/Totaal/Bedrag
    |Subtotaal/Som/Subtotaal|Korting/Korting/Korting|Totaal excl. BTW/Netto/Grondslag|BTW/BTW-bedrag/BTW|Totaal incl. BTW/Factuurbedrag/TOTAAL
    |Aanbetaling/Reeds betaald/Vooruitbetaald|Te betalen/Openstaand/Te voldoen|Ordernummer/Uw bestelling/Order|Klantnummer/Debiteur/Klantnr.
    |Leverdatum/Geleverd op/Geleverd|Bedankt voor uw opdracht./Graag overmaken./Ruilen binnen 14 dagen.`,
  pt: `Fatura/FATURA/Fatura|Nota de crédito/NOTA DE CRÉDITO/Nota de crédito|Fatura n.º/Número da fatura/Nº|Data da fatura/Data de emissão/Data
    |Data de vencimento/Vencimento/Pagar até|Faturar a/Cliente/Cliente|Descrição/Serviço/Artigo|Quantidade/Qtd./Qtd|Preço unitário/Preço/P. unit.|IVA/Taxa IVA/IVA
    |Valor/Total/Total|Subtotal/Soma/Soma|Desconto/Desconto comercial/Desconto|Total sem IVA/Valor tributável/Incidência|IVA/Total IVA/IVA
    |Total com IVA/Total da fatura/TOTAL|Adiantamento/Sinal/Pago|Valor a pagar/Saldo/A pagar|Encomenda/Sua encomenda/Enc.|N.º de cliente/Código de cliente/Cliente n.º
    |Data de entrega/Entregue em/Entrega|Obrigado pela preferência./Pagamento por transferência./Processado por programa.`,
  pl: `Faktura/FAKTURA VAT/Faktura|Faktura korygująca/KOREKTA/Korekta|Numer faktury/Faktura nr/Nr|Data wystawienia/Wystawiono/Data|Termin płatności/Płatne do/Do zapłaty do
    |Nabywca/Nabywca/Klient|Nazwa towaru lub usługi/Usługa/Towar|Ilość/Liczba/Ilość|Cena netto/Cena jedn./Cena|VAT/Stawka VAT/VAT|Wartość netto/Wartość/Wart.
    |Suma/Razem pozycje/Razem|Rabat/Upust/Rabat|Razem netto/Suma netto/Netto|VAT/Kwota VAT/VAT|Razem brutto/Wartość brutto/SUMA|Zaliczka/Zapłacono/Wpłacono
    |Do zapłaty/Pozostało do zapłaty/Do dopłaty|Zamówienie/Nr zamówienia/Zam.|Numer klienta/Kod klienta/Kod kl.|Data dostawy/Data sprzedaży/Dostawa
    |Dziękujemy za zakupy./Prosimy o przelew./Towar bez wad.`,
}

/** The words of a language in the way of one layout (0 to 2). */
export function wording(language: string, way: number): Wording {
  const words = (WORDS[language] ?? '').split('|').map((entry) => entry.trim().split('/'))
  const phrase = (key: string): string => {
    const ways = words[KEYS.split(' ').indexOf(key)]
    const word = ways?.[way]
    if (word === undefined || ways?.length !== 3) throw new Error(`No word for ${key} in ${language}.`)
    return word
  }
  return {
    invoice: phrase('invoice'),
    credit: phrase('credit'),
    number: phrase('number'),
    date: phrase('date'),
    due: phrase('due'),
    to: phrase('to'),
    description: phrase('description'),
    quantity: phrase('quantity'),
    unit: phrase('unit'),
    rate: phrase('rate'),
    amount: phrase('amount'),
    subtotal: phrase('subtotal'),
    discount: phrase('discount'),
    net: phrase('net'),
    tax: phrase('tax'),
    total: phrase('total'),
    prepaid: phrase('prepaid'),
    balance: phrase('balance'),
    order: phrase('order'),
    account: phrase('account'),
    delivered: phrase('delivered'),
    thanks: phrase('thanks'),
  }
}
