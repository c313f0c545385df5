import { domainToUnicode } from 'node:url'

/** What an answer without a record says of the name. */
export type Verdict =
  | { readonly is: 'free' | 'reserved' | 'unclear' }
  /** The server does not answer for now; so many seconds, where it says how long. */
  | { readonly is: 'busy'; readonly retryAfterSeconds: number | null }

const MARK = '~'
/** Whole lines, in lower case, without comment signs, quotes and the stop at the end; `~` is the name. */
const FREE: readonly RegExp[] = [
  /^no match(?: (?:found )?for(?: domain)? ~)?$/,
  /^(?:the )?(?:domain )?~ (?:is free|is available(?: for (?:purchase|registration))?|(?:was )?not found|is not registered|has not been registered)$/,
  /^(?:domain |object )?not found(?:: ?~)?$/,
  /^no (?:data|object|such domain|found|matching record|matching objects)(?: found)?$/,
  /^nothing found(?: for ~)?$/,
  /^(?:error:101: )?no entries found(?: for the selected source(?:\(s\))?| in the afnic database| for (?:query )?~)?$/,
  /^the queried object does not exist(?:: .*)?$/,
  /^(?:this domain name|the domain) has not been registered$/,
  /^above domain name is not registered to krnic$/,
  /^the requested domain was not found in the registry or registrar.s whois server$/,
  /^no information available about domain name ~ in the registry nask database$/,
  /^we do not have an entry in our database matching your query$/,
  /^no_se_encontro_el_objeto\/object_not_found$/,
  /^el dominio no se encuentra registrado en nic argentina$/,
  /^(?:domain )?(?:query_)?status: (?:220 )?(?:free|available|no object found|not registered)$/,
]
const RESERVED: readonly RegExp[] = [
  /^reserved by (?:the )?registry/,
  /^this name is reserved\b/,
  /^(?:this name|~) is not available for registration/,
  /\bdomains protected marks list\b/,
  /^the domain name you apply can not be registered online/,
  /^(?:domain )?status: (?:unassignable|reserved|blocked)$/,
]
/** Said of the client, not of the name. A sentence of the terms of use goes on where these end. */
const BUSY: readonly RegExp[] = [
  /\b(?:limit|quota) exceeded(?=$|[.,!;]| -| for\b)/,
  /\bnumber of allowed queries exceeded\b/,
  /\bmaximum (?:query rate|number of requests per second|number of queries) (?:reached|exceeded)/,
  /\byou have (?:exceeded|reached) (?:your|the|allowed)\b/,
  /\bquery quota for .{1,60} has been exceeded\b/,
  /\btoo many (?:requests|queries|connections)\b/,
  /\bserver too busy\b/,
  /\bgrace period(?: of|, wait) \d/,
  /\brestricted due to excessive queries\b/,
  /^queried interval is too short/,
]
/** Said by itself, or above the name alone. */
const ALONE = /^available$/
/** What stands further down is of a record in a form that is not known, or of the terms of use. */
const FIRST_LINES = 10
const WAIT = /\b(?:wait|in|of) (\d{1,4}) seconds?\b/

/** Reads an answer that has no record of the name. What is not plainly one thing is `unclear`; no word at all is what servers say when asked too often. */
export function verdictOf(all: readonly string[], domain: string): Verdict {
  const names = [domain, domainToUnicode(domain)].filter((name) => name !== '')
  const written = all.filter((line) => line.trim() !== '')
  const values = written.filter((line) => !isComment(line))
  const lines = written.map((line) => plain(line, names)).filter((line) => line !== '')
  if (lines.length === 0 || says(lines, BUSY)) {
    const seconds = lines.map((line) => WAIT.exec(line)?.[1]).find((each) => each !== undefined)
    return { is: 'busy', retryAfterSeconds: seconds === undefined ? null : Number(seconds) }
  }
  const head = [...written.filter(isComment), ...values.slice(0, FIRST_LINES)].map((line) => plain(line, names))
  if (says(head, RESERVED)) return { is: 'reserved' }
  const alone = values.length <= 2 && says(head, [ALONE])
  return { is: alone || says(head, FREE) ? 'free' : 'unclear' }
}

function says(lines: readonly string[], forms: readonly RegExp[]): boolean {
  return lines.some((line) => forms.some((form) => form.test(line)))
}

function isComment(line: string): boolean {
  return /^\s*(?:[%#;*>]|\[ .*\]\s*$)/.test(line)
}

function plain(line: string, names: readonly string[]): string {
  let text = line.toLowerCase()
  for (const name of names) text = text.replaceAll(name, MARK)
  return text
    .replace(/^[\s%#*;>-]+/, '')
    .replace(/["'“”]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s.!])[\s.!]+$/, '')
}
