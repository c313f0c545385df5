import { domainToUnicode } from 'node:url'

/** The meaning of an answer without a record. */
export type Verdict =
  | { readonly is: 'free' | 'reserved' | 'unclear' }
  /** The server is temporarily unavailable, for so many seconds if stated. */
  | { readonly is: 'busy'; readonly retryAfterSeconds: number | null }

const MARK = '~'
/** Whole lines, in lower case, without comment signs, quotes and the final stop; `~` is the name. */
const FREE: readonly RegExp[] = [
  /^no match(?: (?:found )?for(?: domain)? ~)?$/,
  /^(?:the |this )?(?:domain ?)?(?:name ?)?~? ?(?:is free|is available(?: for (?:purchase|registration))?|(?:was |is |could )?not (?:be )?found|is not registered(?: yet)?|has not been registered)$/,
  /^(?:the |this )?(?:requested )?(?:domain|object|record)(?: name)?(?: ~)? (?:does not|doesnt) exist(?: in (?:the |our |this )?(?:whois |registry )?(?:database|registry))?$/,
  /^~ (?:does not|doesnt) exist(?: in (?:the |our |this )?(?:whois |registry )?(?:database|registry))?$/,
  /^(?:domain |object |record |entry )?not found(?: in (?:the |our )?(?:database|registry))?(?:: ?~)?$/,
  /^no (?:data|object|such domain|found|record|records|entry|entries|matching record|matching objects|matches)(?: (?:was |were )?found)?(?: for (?:~|this query|your query))?$/,
  /^nothing found(?: for (?:~|this query|your query))?$/,
  /^no entries found(?: for the selected source(?:\(s\))?| in the afnic database| for (?:query )?~)?$/,
  /^the queried object does not exist(?:: .*)?$/,
  /^above domain name is not registered to krnic$/,
  /^the requested domain was not found in the registry or registrar.?s whois server$/,
  /^no information available about domain name ~ in the registry nask database$/,
  /^we do not have an entry in our database matching your query$/,
  /^no_se_encontro_el_objeto\/object_not_found$/,
  /^not registered - the domain you have requested \(~\) is not a registered \.[a-z]{2,20} domain name$/,
  /^el dominio (?:~ )?no se encuentra registrado(?: en nic argentina)?$/,
  /^(?:domain |registration )?(?:query_)?status: (?:220 )?(?:free|available|no object found|not registered|not found)$/,
]
const RESERVED: readonly RegExp[] = [
  /^reserved by (?:the )?registry/,
  /^this name is reserved\b/,
  /^(?:this name|~) is not available for registration/,
  /\bdomains protected marks list\b/,
  /^(?:the )?registration of (?:this|the) (?:domain|name)(?: name)?(?: ~)? is (?:restricted|blocked|prohibited|not (?:allowed|possible|permitted))/,
  /^(?:this |the )?(?:domain|name)(?: name)?(?: ~)? is (?:reserved|blocked|prohibited|restricted|protected)\b/,
  /^~ is (?:reserved|blocked|prohibited|restricted|protected)\b/,
  /^the domain name you apply can not be registered online/,
  /^(?:domain )?status: (?:unassignable|reserved|blocked)$/,
]
/** Statements that a name cannot be registered, which take precedence. */
const REFUSED =
  /\b(?:can ?not|cant|may not|must not|not (?:allowed|possible|permitted|eligible) to) be (?:registered|delegated)\b|\bis not (?:eligible|available|open) for registration\b/
/** Statements about the client, not the name. A sentence of the terms of use continues after them. */
const BUSY: readonly RegExp[] = [
  /\b(?:limit|quota|rate) exceeded(?=$|[.,!;]| -| for\b)/,
  /\bnumber of allowed queries exceeded\b/,
  /\bmaximum (?:query rate|number of requests per second|number of queries) (?:reached|exceeded)/,
  /(?<!\b(?:if|when|once|after|that|until) )you have (?:been )?(?:exceeded|reached|rate[- ]limited|blocked|blacklisted)(?: (?:your|the|this|our|allowed)\b|$|[.,!])/,
  /\bquery quota for .{1,60} has been exceeded\b/,
  /\b(?:query |request |rate |daily |connection )(?:limit|quota|rate) (?:has been|was|is) (?:exceeded|reached)\b/,
  /\btoo many (?:requests|queries|connections)\b/,
  /\b(?:query|queries|request|requests|lookup|lookups)(?: (?:frequency|rate|interval))?(?: is| are)? too (?:fast|frequent|often|high|many|short)\b/,
  /\bquerying too (?:fast|often|frequently)\b/,
  /\bserver (?:is )?(?:too )?busy\b/,
  /\bgrace period(?: of|, wait) \d/,
  /\brestricted due to excessive queries\b/,
  /^queried interval is too short/,
  /\b(?:try|query|retry)(?: again| it)? later\b/,
  /\bwait a (?:moment|while|minute|few (?:seconds|minutes))(?:$|[.,!]| and (?:try|retry|query))/,
]
/**
 * Other things that may not be found: for a name that equals one of these words, without its TLD, the sentence proves
 * nothing.
 */
const NOT_FOUND = new Set(
  (
    'command connection data database domain entry error file host information key match name object page path query record registrar registry ' +
    'request resource result route server service site user website whois zone'
  ).split(' '),
)
/** On its own, or above the name alone. */
const ALONE = /^available$/
/** Later lines belong to a record in an unknown format, or the terms of use. */
const FIRST_LINES = 10
const WAIT = /\b(?:wait|in|of) (\d{1,4}) seconds?\b/

/**
 * Interprets an answer without a record of the name. Ambiguous ones are `unclear`; an empty answer is common when
 * rate-limited. A name that cannot be registered is reserved, even if the answer also reports no record.
 */
export function verdictOf(all: readonly string[], domain: string): Verdict {
  const names = [domain, domainToUnicode(domain)].filter((name) => name !== '')
  const written = all.filter((line) => line.trim() !== '')
  const values = written.filter((line) => !isComment(line))
  const lines = sentences(written, names)
  if (lines.length === 0 || isStated(lines, BUSY)) {
    const seconds = lines.map((line) => WAIT.exec(line)?.[1]).find((each) => each !== undefined)
    return { is: 'busy', retryAfterSeconds: seconds === undefined ? null : Number(seconds) }
  }
  const head = [...sentences(written.filter(isComment), names), ...sentences(values.slice(0, FIRST_LINES), names)]
  if (isStated(head, RESERVED) || isStated(sentences(values.slice(0, FIRST_LINES), names), [REFUSED])) return { is: 'reserved' }
  const alone = values.length <= 2 && isStated(head, [ALONE])
  return { is: alone || isStated(head, FREE) ? 'free' : 'unclear' }
}

/** Each line, alone and joined with the next one or two, since sentences may be broken anywhere; also without a leading code or name. */
function sentences(lines: readonly string[], names: readonly string[]): string[] {
  const read = lines.map((line) => plain(line, names)).filter((line) => line !== '')
  return read.flatMap((line, at) => {
    const joined = [line, ...[2, 3].flatMap((count) => (at + count <= read.length ? [read.slice(at, at + count).join(' ')] : []))]
    return [...joined, ...joined.map((each) => each.replace(CODE, '')).filter((each, index) => each !== joined[index])]
  })
}

const CODE =
  /^(?:(?:error|code|info|status|notice|message)[ :#]*)?(?:\d{1,6}(?: ?[:.-] ?| )|~ ?[:,-] ?|(?:error|notice|message|result|info): )/

function isStated(lines: readonly string[], forms: readonly RegExp[]): boolean {
  return lines.some((line) => forms.some((form) => form.test(line)))
}

function isComment(line: string): boolean {
  return /^\s*(?:[%#;*>]|\[ .*\]\s*$)/.test(line)
}

function plain(line: string, names: readonly string[]): string {
  let text = line.toLowerCase()
  for (const name of names) text = text.replaceAll(name, MARK)
  text = text
    .replace(/^[\s%#*;>-]+/, '')
    .replace(/["'’“”]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s.!])[\s.!]+$/, '')
  const label = (names[0] ?? '').replace(/\.[^.]*$/, '')
  if (text === `no match for ${label}`) return `no match for ${MARK}`
  const alone = text === `${label} not found` || text === `${label}not found`
  return alone && !NOT_FOUND.has(label) ? `${MARK} not found` : text
}
