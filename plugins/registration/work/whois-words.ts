/** Meaning of a key of a record. */
export type Kind = 'name' | 'created' | 'updated' | 'expires' | 'status' | 'server' | 'registrar' | 'dnssec'

/** Words of keys in a domain's record, for answers without colons. */
export const KEY_WORDS: ReadonlySet<string> = new Set(
  [
    'domain name domainname state status registered registration registrar created creation record entry date time on until till to',
    'expires expiry expiration expire valid paid renewal updated update last modified modification changed change',
    'nameserver nameservers nserver nservers name-server name-servers server servers dns ns ns1 ns2 ns3 ns4 dns1 dns2 dns3 dns4 host hostname',
    'primary secondary dnssec signed current sponsoring',
  ].flatMap((words) => words.split(' ')),
)

/** Words of section headings. */
const PART_WORDS: ReadonlySet<string> = new Set(
  [
    'registrant registrants holder owner owners manager managers registrar registrars reseller agent admin administrative administrator tech technical billing financial zone',
    'contact contacts person organization organisation company customer using domain domains name nameserver nameservers server servers nservers dns host',
    'hosts primary secondary in listed order information info details data of the and dnssec',
  ].flatMap((words) => words.split(' ')),
)
const PEOPLE =
  /\b(?:registrants?|registrars?|registar|holders?|owners?|managers?|contacts?|contactos?|titular|titulaire|persons?|agents?|resellers?|admin|administrat\w*|tech|technical|billing|financial|organi[sz]ation|company|customer|abuse)\b/
const SERVERS = /\b(?:name ?servers?|nservers?|servers?|serveurs?|servidor(?:es)?|dns\d*|ns\d*|host ?names?|hosts?)\b/
/** Keys of people and organisations, whose dates and status values are not the domain's. */
const OF_PEOPLE = /\b(?:registrants?|holders?|owners?|contacts?|persons?|agents?|resellers?|admin\w*|tech|technical|billing|person)\b/
const PREFIX = '(?:(?:current|domain|name|domainname|epp|registry|registration|object|record|delegation) )*'
const STATUS = new RegExp(
  `^${PREFIX}(?:status|statuses|eppstatus|domaintype|state|statut|estado|estatus|situacao|situação)(?: del? dominio| do dom[ií]nio| du domaine)?(?: code| codes| ?\\d+)?$`,
)
const NAME =
  /^(?:(?:the|fully qualified|idn|ascii) )?(?:domain(?: ?name)?|fqdn|ascii|(?:nombre del? |nome de |nom de )?(?:dominio|domaine|domínio))(?: ascii| \(ascii\)| asc| requested)?$/
const REGISTRAR =
  /^(?:(?:current|sponsoring|accredited|domain|the|registration|managing) )*(?:regist(?:r)?ar|registrador|registration service provider|authorized agency)(?: name| organi[sz]ation| of record| company(?: name)?)?$/
const DNSSEC = /\bdnssec\b|^signed$|^secure ?dns$|^(?:zone|delegation) signed$/
const EXPIRES =
  /expir|\bexp\b|venci|[ée]chéance|vence\b|caduc|scaden|ablauf|\bpaid\b|\bvalid(?:ity|ité|ade)?\b(?! from| since)|\brenewal\b|\brenews? (?:on|by)\b|(?:until|till)\b/
const UPDATED = /updat|modif|mise [aà] jour|chang|\balter|actualiz|atualiz|ändert|aktual/
const CREATED =
  /creat|\bcria|creaci|créé|création|enregistr|regist(?:ered|ration|ro|rado|rada|rato)\b|commenc|activat|\bvalid (?:from|since)\b|\bsince\b/
/** Dates of something else. */
const NOT_DATES =
  /whois|database|\bdb\b|\brdap\b|\bkeys?\b|\bds\b|dnssec|\bstatus|\bstate\b|lock|transfer|delet|grace|password|invoice|\bserver|\bdns\b|\bhost\b|outzone|\bfree\b|available|verif|\breason\b|\bby\b|\bperiod\b|request|query/
const NOT_SERVERS =
  /whois|rdap|regist|mail|courriel|correo|\bmx\b|\bweb|http|\bip\b|ipv|address|handle|stat|\bkeys?\b|count|number|number of|\bid\b|secure|\burl\b|port|\bca\b/

/** A key or heading in lower case, with blanks for other separators. */
function plain(text: string): string {
  return text
    .replace(/[-_/.&,()]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The meaning of a key (in lower case) by its words; null for anything else. The value is not checked. */
export function kindOf(key: string): Kind | null {
  const words = plain(key)
  if (words.length > 60) return null
  if (NAME.test(words)) return 'name'
  if (STATUS.test(words)) return 'status'
  if (REGISTRAR.test(words)) return 'registrar'
  if (DNSSEC.test(words)) return 'dnssec'
  return dateKind(words) ?? (SERVERS.test(words) && !NOT_SERVERS.test(words) && !OF_PEOPLE.test(words) ? 'server' : null)
}

function dateKind(words: string): 'created' | 'updated' | 'expires' | null {
  if (OF_PEOPLE.test(words) || NOT_DATES.test(words)) return null
  const last = /\blast\b|\bprevious\b/.test(words)
  if (EXPIRES.test(words) && !last) return 'expires'
  if (/registrar|registar/.test(words)) return null
  if (UPDATED.test(words)) return 'updated'
  return CREATED.test(words) && !last && !/\bre ?regist/.test(words) ? 'created' : null
}

/** Whether a key explicitly belongs to the domain, as in `domain expires`. */
export function isAboutDomain(key: string): boolean {
  return /^(?:domain|record)[ _-]/.test(key) && dateKind(plain(key)) !== null
}

/**
 * Whether the lines below a heading (in lower case) belong to a person or a server, so that their dates and status
 * values are not the domain's.
 */
export function isForeign(section: string): boolean {
  const words = plain(section)
  return isServers(section) || /\bwhois\b/.test(words) || (PEOPLE.test(words) && kindOf(words) !== 'created')
}

/** Whether a heading precedes hosts. */
export function isServers(section: string): boolean {
  const words = plain(section)
  return SERVERS.test(words) && !/whois|rdap|\bmail|\bweb/.test(words) && !OF_PEOPLE.test(words)
}

/** Whether a line is a section name of a record. */
export function isPart(text: string): boolean {
  const words = plain(text).split(' ')
  return (
    words.length <= 6 &&
    words.every((word) => PART_WORDS.has(word)) &&
    (text === 'domain' || isForeign(text) || text === 'dnssec' || /^domain (?:information|info|details|data)$/.test(text))
  )
}

/** Whether an object that starts with this key is not the domain. */
export function beginsOther(key: string): boolean {
  return /^(?:whois.*|nic-hdl(?:-br)?|contact(?:-id)?|(?:person|role|org|mntner|nsset|keyset|nserver|registrar)(?:name)?|organi[sz]ation(?: name)?|name|first ?name|last ?name|given name|(?:nic )?handle|registrant|holder|owner|admin\w*(?:[ -]c(?:ontact)?)?|tech\w*(?:[ -]c(?:ontact)?)?|billing(?: contact)?|administrative contact(?: name)?|technical contact(?: name)?)$/.test(
    key,
  )
}

/** Whether a key belongs to a postal address. */
export function isOfAddress(key: string): boolean {
  return /^(?:street|street ?address|address\d?|city|postal ?code|zip(?: ?code)?|phone(?: number)?|fax(?: number| no)?|e-?mail(?: ?address)?|tel(?:ephone)?|province|voice)$/.test(
    key,
  )
}
