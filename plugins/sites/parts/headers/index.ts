import type { Finding } from '../security/verdict.js'
import { cookieFinding } from './cookies.js'
import { cspFindings } from './csp.js'
import { hstsFindings } from './hsts.js'
import { policyFindings } from './policies.js'

/** Headers that name products, often with versions. */
const BANNERS = ['server', 'x-powered-by', 'x-generator', 'x-aspnet-version', 'x-aspnetmvc-version', 'via', 'x-drupal-version']
const LONGEST = 80

/** Security findings from the headers of a page. `headers` have names in lower case, repeated ones joined by commas. */
export function headerFindings(headers: Readonly<Record<string, string>>, secure: boolean): Finding[] {
  return [
    ...hstsFindings(headers['strict-transport-security'], secure),
    ...cspFindings(headers['content-security-policy'], headers['content-security-policy-report-only'] !== undefined),
    ...policyFindings(headers),
    cookieFinding(headers['set-cookie']),
    banner(headers),
  ]
}

function banner(headers: Readonly<Record<string, string>>): Finding {
  // Via has the protocol version, not a product version, before its first blank.
  const found = BANNERS.find((name) => /\d\.\d/.test(name === 'via' ? (headers.via ?? '').replace(/^\S+/, '') : (headers[name] ?? '')))
  if (found === undefined) return { id: 'headers.banner', passed: true, detail: 'No header names a product with its version.' }
  return { id: 'headers.banner', passed: false, detail: `${found}: ${(headers[found] ?? '').slice(0, LONGEST)}` }
}
