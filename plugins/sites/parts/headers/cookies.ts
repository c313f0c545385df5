import type { Finding } from '../security/verdict.js'
import { cookiesIn, type Cookie } from './set-cookie.js'

const MOST_NAMED = 5
const LONGEST_NAME = 60
/** Names of session and login cookies, which scripts need not read. */
const SESSION = /sess|sid$|^sid|auth|login|remember|jwt|token/
/** CSRF cookies are readable by scripts on purpose. */
const READABLE = /csrf|xsrf/

/** Flags of the cookies set by the page. */
export function cookieFinding(header: string | undefined): Finding {
  const id = 'headers.cookies'
  const cookies = cookiesIn(header ?? '')
  if (cookies.length === 0) return { id, passed: true, detail: 'The page sets no cookies.' }
  const faults = cookies.flatMap((cookie) => {
    const lacks = lacksOf(cookie)
    return lacks.length === 0 ? [] : [`${cookie.name.slice(0, LONGEST_NAME)} lacks ${lacks.join(' and ')}`]
  })
  if (faults.length === 0) return { id, passed: true, detail: `All ${String(cookies.length)} cookies have their flags.` }
  const more = faults.length > MOST_NAMED ? `; and ${String(faults.length - MOST_NAMED)} more` : ''
  return { id, passed: false, detail: `${faults.slice(0, MOST_NAMED).join('; ')}${more}.` }
}

function lacksOf({ name, attributes }: Cookie): string[] {
  const lower = name.toLowerCase()
  const sameSite = attributes.get('samesite')?.toLowerCase()
  return [
    ...(attributes.has('secure') ? [] : ['Secure']),
    ...(SESSION.test(lower) && !READABLE.test(lower) && !attributes.has('httponly') ? ['HttpOnly'] : []),
    ...(sameSite === 'lax' || sameSite === 'strict' || sameSite === 'none' ? [] : ['SameSite']),
  ]
}
