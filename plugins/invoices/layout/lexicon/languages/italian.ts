import type { Vocabulary } from '../vocabulary.js'

/** Italian invoice vocabulary. */
export const italian: Vocabulary = {
  labels: {
    number:
      'numero|numero fattura|fattura numero|fattura n|fattura nr|n fattura|nr fattura|fattura|numero documento|n documento|documento n|nota di credito n|nota di credito nr|nota di credito|nota credito n|ricevuta n|scontrino n|doc n|numero della fattura|num fattura|fattura no|ricevuta fiscale n|documento commerciale n|parcella n',
    date: 'data fattura|data della fattura|data emissione|data di emissione|data|del|data documento|data doc|emessa il|emesso il|fattura del|in data|data nota di credito',
    due: 'data scadenza|scadenza|data di scadenza|scade il|scadenza pagamento|pagamento entro|da pagare entro|entro il|pagare entro|scadenza il|da saldare entro|pagamento entro il|termine di pagamento|data pagamento|scadenze|pagabile entro il|da pagare entro il',
    terms: 'condizioni di pagamento|termini di pagamento|modalita di pagamento|pagamento',
    supplier: 'fornitore|cedente|venditore|emittente|da|cedente prestatore|mittente|prestatore|emessa da|ditta emittente',
    customer:
      'cliente|spett le|spettabile|destinatario|intestatario|cessionario|acquirente|fatturare a|intestato a|fattura a|cessionario committente|committente|dati cliente|intestata a|a|indirizzo di fatturazione|spett|egregio|gentile|intestazione fattura',
    shipTo:
      'luogo di consegna|destinazione|destinazione merce|indirizzo di consegna|consegnare a|spedire a|luogo di destinazione|indirizzo di spedizione',
    currency: 'valuta|divisa|importi in|importi espressi in|prezzi in|tutti gli importi in',
    other:
      'numero ordine|n ordine|ordine n|ordine|rif ordine|vs ordine|vostro ordine|codice cliente|cod cliente|numero cliente|n cliente|partita iva|p iva|piva|p i|codice fiscale|c f|cf|cod fisc|cod fiscale|telefono|tel|fax|cell|cellulare|email|e mail|pec|sito|sito web|web|riferimento|rif|vs riferimento|ns riferimento|vostro riferimento|nostro riferimento|iban|bic|swift|banca|conto|coordinate bancarie|appoggio bancario|ddt|ddt n|documento di trasporto|contratto|n contratto|progetto|commessa|pagina|cassa|tavolo|preventivo|contatto|metodo di pagamento|codice univoco|codice destinatario|codice sdi|sdi|rea|capitale sociale|oggetto|cig|cup|fattura di riferimento|fattura originale|rif fattura|operatore|cassiere|cod univoco|sede legale|reg imprese|p iva cliente|matricola',
    otherDate:
      'data consegna|data di consegna|data ordine|periodo|data spedizione|data operazione|data ddt|periodo di riferimento|data inizio trasporto|data trasporto|data dell ordine|data prestazione|data valuta',
    subtotal:
      'imponibile|totale imponibile|subtotale|totale netto|netto|totale merce|importo netto|totale senza iva|totale iva esclusa|imponibile totale|netto merce|base imponibile|tot imponibile|somma|totale parziale|totale esclusa iva|totale beni e servizi|netto imponibile|totale prestazioni|totale al netto iva|totale servizi',
    tax: 'iva|imposta|totale iva|importo iva|totale imposta|iva inclusa|di cui iva|i v a|imposte|totale imposte|ammontare iva|iva totale|tot iva|imposta totale|iva al|aliquota iva|totale i v a|iva compresa|totale iva e imposte',
    taxBase: 'imponibile al|imponibile iva|aliquota|aliq|riepilogo iva|castelletto iva',
    total:
      'totale|totale fattura|totale documento|totale complessivo|importo totale|totale generale|totale lordo|totale iva inclusa|totale euro|tot fattura|tot documento|totale con iva|importo complessivo|totale eur|lordo|totale dovuto|totale ivato|totale nota di credito|importo fattura|importo totale documento|totale compresa iva|totale iva compresa|totale fattura euro',
    payable:
      'totale da pagare|da pagare|netto a pagare|saldo|residuo|importo da pagare|totale a pagare|importo dovuto|saldo dovuto|residuo da pagare|saldo da pagare|ancora da pagare|totale residuo|netto da pagare|rimanenza',
    prepaid:
      'acconto|gia pagato|pagato|acconto versato|acconti|meno acconto|anticipo|acconti versati|caparra|importo pagato|versato|gia versato|acconto ricevuto|acconto gia versato|pagamenti ricevuti|importo gia pagato',
    discount:
      'sconto|abbuono|sconto commerciale|totale sconto|sconti|ribasso|totale sconti|sconto incondizionato|sconto cliente|sconto merce|meno sconto|sconto finale|importo sconto',
    shipping:
      'spese di spedizione|spedizione|trasporto|spese di trasporto|spese trasporto|spese di consegna|spese spedizione|porto|spese accessorie|imposta di bollo|bollo|marca da bollo|contributo integrativo|cassa previdenza|imposta di soggiorno|coperto|servizio|cauzione|assicurazione',
    rounding: 'arrotondamento',
    carried: 'riporto|a riportare|totale pagina|da riportare|segue|riporto da pagina|segue a pagina',
    withheld: 'ritenuta|ritenuta d acconto|ritenuta acconto|ritenute',
  },
  headings: {
    position: 'n|pos|nr|riga|num|n riga',
    code: 'codice|cod|cod art|codice articolo|cod articolo|rif|riferimento',
    description:
      'descrizione|articolo|prodotto|servizio|descrizione dei beni|descrizione beni|causale|prestazione|dettaglio|descrizione articolo|descrizione prodotto|voce|beni e servizi|descrizione beni e servizi|descrizione dei prodotti|descrizione del servizio|prodotti e servizi|oggetto|designazione',
    quantity: 'quantita|qta|q ta|qt|quant|ore|q|qnt|pezzi|qtà|giorni',
    unit: 'um|u m|unita|unita di misura|udm|unita misura',
    price:
      'prezzo unitario|prezzo|p unitario|prezzo unit|prezzo un|p u|importo unitario|costo unitario|prezzo netto|tariffa|prezzo u|p unit|prezzo unitario netto|pr unitario|prezzo cad|unitario|prezzo singolo|pr unit',
    grossPrice: 'prezzo ivato|prezzo iva inclusa|prezzo lordo',
    discount: 'sconto|sc|sconto %|sc %|scn',
    rate: 'iva|aliquota|aliq|iva %|aliquota iva|% iva|aliq iva|c iva|cod iva|i v a|ali',
    tax: 'importo iva|imposta|totale iva|imp iva',
    net: 'importo netto|totale netto|imponibile|netto|importo imponibile|totale imponibile|prezzo totale netto|tot netto|totale senza iva|subtotale',
    gross: 'importo lordo|totale ivato|lordo|totale lordo|totale con iva|importo ivato|totale iva inclusa|prezzo totale lordo',
    amount: 'importo|totale|prezzo totale|importo totale|tot|valore|importo eur|totale eur|tot riga|totale riga|p totale',
    date: 'data|giorno',
    skip: 'peso|colore|taglia|lotto|ddt|colli|lotto n|omaggio',
  },
  months:
    'gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag magg|giugno giu|luglio lug|agosto ago|settembre set sett|ottobre ott|novembre nov|dicembre dic',
  common: 'il|lo|gli|per|grazie|con|della|dei|giorni|via|entro|vostra|nostro|del|di|una|che|alla',
}
