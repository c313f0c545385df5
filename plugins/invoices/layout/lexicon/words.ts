import type { Language } from '../types.js'

/** Frequent short words by which a language is told, folded. */
export const COMMON: Record<Language, string> = {
  en: 'the|and|of|for|to|please|within|days|thank|you|your|with|this|payment|all|by|is|are|on',
  de: 'der|die|das|und|fur|mit|wir|bitte|tagen|innerhalb|ihre|ihr|den|auf|zum|nach|vielen|dank|uns|geschaftsfuhrer|strasse|ohne|abzug',
  fr: 'le|la|les|et|des|pour|merci|vous|votre|jours|avec|nous|sur|dans|rue|par|est|une|en|au',
  es: 'el|los|las|y|para|gracias|por|con|su|dias|calle|este|del|en|una|sera|favor',
  it: 'il|lo|gli|per|grazie|con|della|dei|giorni|via|entro|vostra|nostro|del|di|una|che|alla',
  nl: 'het|een|en|voor|met|wij|uw|bedankt|binnen|dagen|van|op|onze|straat|graag|u|bij',
  pt: 'o|os|as|e|para|obrigado|com|sua|dias|rua|do|da|dos|em|uma|ao|por|pela|processado',
  pl: 'i|w|na|do|dla|za|z|dni|dziekujemy|oraz|ul|prosimy|przelew|slownie|od|jest|spolka',
}

/** Words that a company's name ends with. */
export const LEGAL_FORMS =
  /(?:^|[\s,(])(?:GmbH(?: & Co\.? ?KG(?:aA)?)?|AG|KG|OHG|UG(?: \(haftungsbeschränkt\))?|GbR|e\.? ?K\.?|e\.? ?V\.?|eG|mbH|PartG|Ltd\.?|Limited|LLP|LLC|L\.L\.C\.|PLC|plc|Inc\.?|Incorporated|Corp\.?|Corporation|Company|Pty\.?|SARL|S\.?A\.?R\.?L\.?|SAS|S\.?A\.?S\.?|SASU|EURL|SNC|SCI|SA|S\.A\.|S\.?A\.?U\.?|S\.?L\.?U?\.?|S\.?R\.?L\.?S?\.?|s\.?r\.?l\.?s?\.?|S\.?p\.?A\.?|s\.?n\.?c\.?|S\.?a\.?s\.?|B\.?V\.?|N\.?V\.?|V\.?O\.?F\.?|Lda\.?|LDA|Unipessoal|S\.?C\.?|Sp\. ?z ?o\. ?o\.?|sp\. ?z ?o\. ?o\.?|S\.K\.|sp\. ?k\.?|sp\. ?j\.?|Sp\. ?[jk]\.|Sàrl|Coop|C\.B\.|SpA|Srl|SRL|BVBA|& Co\.?|& Sons?|& Söhne|& Fils|& Figli|e Hijos|y Cía)(?=$|[\s,.)·•|–-])/u
