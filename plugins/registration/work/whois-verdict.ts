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
  /^(?:domain )?~ (?:is free|is available|not found|was not found|is not registered)$/,
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
  /^available$/,
  /^(?:domain )?(?:query_)?status: (?:220 )?(?:free|available)$/,
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
const WAIT = /\b(?:wait|in|of) (\d{1,4}) seconds?\b/

/** Reads an answer that has no record of the name. What is not plainly one thing is `unclear`; no word at all is what servers say when asked too often. */
export function verdictOf(all: readonly string[], domain: string): Verdict {
  const names = [domain, domainToUnicode(domain)].filter((name) => name !== '')
  const lines = all.map((line) => plain(line, names)).filter((line) => line !== '')
  const says = (forms: readonly RegExp[]): boolean => lines.some((line) => forms.some((form) => form.test(line)))
  if (lines.length === 0 || says(BUSY)) {
    const seconds = lines.map((line) => WAIT.exec(line)?.[1]).find((each) => each !== undefined)
    return { is: 'busy', retryAfterSeconds: seconds === undefined ? null : Number(seconds) }
  }
  if (says(RESERVED)) return { is: 'reserved' }
  return { is: says(FREE) ? 'free' : 'unclear' }
}

function plain(line: string, names: readonly string[]): string {
  let text = line.toLowerCase()
  for (const name of names) text = text.replaceAll(name, MARK)
  return text
    .replace(/^[\s%#*;>-]+/, '')
    .replace(/["'“”]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '')
}
