import { folded } from './fold.js'

const POSTAL = [
  /(?:^|[\s,–-])(?:[A-Z]{1,3}[- –])?\d{4,5}\s+\p{Lu}[\p{L}.'’ /()-]+/u,
  /(?:^|[\s,])\d{3} \d{2}\s+\p{Lu}\p{L}+/u,
  /(?:^|[\s,])\d{6}\s+\p{Lu}\p{L}+/u,
  /^\p{Lu}[\p{L}. ]{2,40} \d{6}$/u,
  /^〒\d{3}-\d{4}/u,
  /(?:^|[\s,])\d{4}\s?[A-Z]{2}\s+\p{Lu}\p{L}+/u,
  /(?:^|[\s,])\d{2}-\d{3}\s+\p{Lu}\p{L}+/u,
  /(?:^|[\s,])\d{4}-\d{3}\s+\p{Lu}\p{L}+/u,
  /(?:^|[\s,])[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}(?=$|[\s,.])/,
  /\p{L}[\p{L}. ]+,?\s+[A-Z]{2}\.?,?\s+\d{5}(?:-\d{4})?(?=$|[\s,.])/u,
  /\p{L}[\p{L}. ]+,?\s+[A-Z]{2}\s+[A-Z]\d[A-Z]\s?\d[A-Z]\d/u,
  /\p{L}[\p{L}. ]+\s+(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\s+\d{4}/u,
  /(?:^|[\s,])(?:D0?\d[W]?|[A-Z]\d{2})\s?[A-Z\d]{4}(?=$|[\s,])/,
  /^(?:Dublin|London|New York|Singapore)(?: \d{1,2})?$/,
  /\p{Lu}\p{L}+,? \(?[A-Z]{2}\)?,? \d{5}$/u,
]
const STREET_WORD =
  /(?:^|[\s,.\d])(?:street|st|road|rd|avenue|ave|av|lane|ln|drive|dr|way|court|ct|place|pl|square|sq|boulevard|blvd|bd|house|suite|floor|unit|highway|hwy|park|quay|terrace|close|row|strasse|str|weg|platz|allee|gasse|ring|damm|ufer|rue|chemin|quai|route|impasse|cours|zone|za|zi|calle|c\/|avenida|avda|avd|plaza|paseo|carrer|ronda|poligono|camino|via|viale|piazza|corso|largo|vicolo|strada|rua|travessa|praca|praceta|estrada|alameda|quinta|ul|ulica|al|aleja|aleje|pl|plac|os|osiedle|postfach|po box|p o box|bp|apartado|postbus|gracht|straat|laan|plein|kade|dreef|singel|steenweg)(?=$|[\s.,\d/])/
const STREET_END =
  /(?:strasse|str|weg|platz|allee|gasse|ring|damm|ufer|hof|graben|markt|chaussee|steig|straat|laan|plein|kade|gracht|dijk|dreef|singel|pad|steenweg|lei|baan|berg|stieg|promenade|park|zeile|wall|tor)\.?$/
const COUNTRIES = new Set(
  (
    'germany|deutschland|allemagne|alemania|germania|duitsland|alemanha|niemcy|austria|osterreich|autriche|switzerland|schweiz|suisse|svizzera|suiza|' +
    'france|frankreich|francia|frankrijk|franca|francja|spain|espana|spanien|espagne|spagna|spanje|espanha|hiszpania|italy|italia|italien|italie|wlochy|' +
    'netherlands|thenetherlands|niederlande|nederland|paysbas|paisesbajos|paesibassi|holandia|belgium|belgie|belgique|belgien|belgica|portugal|portogallo|' +
    'poland|polska|polen|pologne|polonia|unitedkingdom|uk|greatbritain|england|scotland|wales|ireland|irland|usa|us|unitedstates|unitedstatesofamerica|' +
    'canada|australia|newzealand|luxembourg|luxemburg|denmark|danmark|sweden|sverige|norway|norge|czechrepublic|ceskarepublika|brasil|mexico|singapore'
  ).split('|'),
)
const CONTACT =
  /@|www\.|https?:|(?:^|[\s·|])(?:tel|phone|telefon|telefono|téléphone|teléfono|telefone|telefoon|fax|faks|mobil|mobile|email|e-mail|mail|iban|bic|swift|web|vat|ust|uid|nip|nif|cif|siret|siren|rcs|kvk|btw|p\.? ?iva|partita|c\.?f\.?|steuer|tva|regon|krs|hrb|hra|bank|konto|company n|registered|ein|abn|tin|nipc|rea|pec|t|f|m|e)\b\.?(?:[-\s]?(?:id|nr|no|n°|n\.º|number)\b\.?)*\s?[:.+]?\s?[-+(\dA-Z@]*\d|\+\d{1,3}[\s(\d]/i

/** A postal code and a town, in the formats of the supported languages' countries. */
export function isTown(text: string): boolean {
  if (/^\d{1,5}[a-z]? /i.test(text) && STREET_WORD.test(plainOf(text).replace(/,.*$/, '')) && !/\d{4,5}.*\d{4,5}/.test(text)) return false
  return POSTAL.some((form) => form.test(text)) && !/\d[.,]\d{2}\b/.test(text)
}

/** A street with a number, a post office box or a street word. */
export function isStreet(text: string): boolean {
  const plain = plainOf(text)
  if (isContact(text) || /\d[.,]\d{2}\b|%|€|\$/.test(text)) return false
  const hasNumber = /(?:^|\s)(?:n|no|nr|nº|n°)?\.?\s?\d{1,5}\s?[a-z]?(?:[-/]\d{0,4}[a-z]?)?(?=$|[\s,])/i.test(plain)
  const word = plain.split(/[\s,]+/).some((each) => STREET_END.test(each.replace(/[.\d]+$/, '')) && each.length > 5)
  if (STREET_WORD.test(plain) && (hasNumber || /\d/.test(plain))) return true
  return (
    hasNumber &&
    (word ||
      /^\p{L}[\p{L}.'’ -]{3,40},?\s\d{1,4}\s?[a-zA-Z]?(?:[-/]\d{0,4}[a-z]?)?$/u.test(text.trim()) ||
      /^\d{1,5}[a-zA-Z]?,? \p{L}[\p{L}.'’ -]{3,40}$/u.test(text.trim()))
  )
}

export function isCountry(text: string): boolean {
  return COUNTRIES.has(folded(text))
}

/** Telephone, email, bank, tax and register numbers. */
export function isContact(text: string): boolean {
  return CONTACT.test(text)
}

function plainOf(text: string): string {
  return text.toLowerCase().replace(/ß/g, 'ss').normalize('NFD').replace(/\p{M}/gu, '')
}
