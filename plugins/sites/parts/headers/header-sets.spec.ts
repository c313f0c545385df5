import { expect } from 'chai'
import { weigh } from '../security/verdict.js'
import { headerFindings } from './index.js'

type Headers = Readonly<Record<string, string>>

const GOOD: Headers = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'content-security-policy': "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
}
const CSP = 'content-security-policy'
const HSTS = 'strict-transport-security'
const ALL_HSTS = 'hsts hsts_subdomains hsts_preload'
const ALL_CSP = 'csp csp_inline csp_eval csp_base'
const ISOLATION = 'opener embedder resource'
const csp = (value: string): Headers => ({ ...GOOD, [CSP]: value })
const hsts = (value: string): Headers => ({ ...GOOD, [HSTS]: value })
const cookie = (value: string): Headers => ({ ...GOOD, 'set-cookie': value })
const without = (...names: string[]): Headers => Object.fromEntries(Object.entries(GOOD).filter(([name]) => !names.includes(name)))

/** Description, headers, failed checks, grade; by hand, from the table of weights. */
const SETS: readonly (readonly [string, Headers, string, string])[] = [
  ['everything', GOOD, '', 'A'],
  ['nothing at all', {}, `${ALL_HSTS} ${ALL_CSP} framing nosniff referrer permissions ${ISOLATION}`, 'F'],
  [
    'a server that names its version',
    { server: 'nginx/1.25.3' },
    `${ALL_HSTS} ${ALL_CSP} framing nosniff referrer permissions ${ISOLATION} banner`,
    'F',
  ],
  ['a framework that names its version', { ...GOOD, 'x-powered-by': 'PHP/8.2.1' }, 'banner', 'A'],
  ['a server without a version', { ...GOOD, server: 'cloudflare', 'x-powered-by': 'Express', via: '1.1 varnish' }, '', 'A'],
  ['HSTS of a day', hsts('max-age=86400; includeSubDomains; preload'), 'hsts hsts_preload', 'B'],
  ['HSTS of half a year, itself alone', hsts('max-age=15552000'), 'hsts_subdomains hsts_preload', 'A'],
  ['HSTS switched off', hsts('max-age=0; includeSubDomains'), ALL_HSTS, 'C'],
  ['HSTS without max-age', hsts('includeSubDomains; preload'), ALL_HSTS, 'C'],
  ['HSTS twice, of which the first counts', hsts('max-age=60, max-age=63072000; includeSubDomains; preload'), ALL_HSTS, 'C'],
  ['HSTS in quotes and capitals', hsts('Max-Age="63072000" ; INCLUDESUBDOMAINS; Preload'), '', 'A'],
  ['no HSTS', without(HSTS), ALL_HSTS, 'C'],
  ['no CSP, and so nobody is kept from framing', without(CSP), `${ALL_CSP} framing`, 'E'],
  ['no CSP, framing refused the old way', { ...without(CSP), 'x-frame-options': 'DENY' }, ALL_CSP, 'D'],
  ['CSP that only reports', { ...without(CSP), 'content-security-policy-report-only': "default-src 'self'" }, `${ALL_CSP} framing`, 'E'],
  [
    'CSP with inline scripts',
    csp("default-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"),
    'csp_inline',
    'A',
  ],
  [
    'CSP with inline scripts and eval',
    csp("script-src 'self' 'unsafe-inline' 'unsafe-eval'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"),
    'csp_inline csp_eval',
    'B',
  ],
  [
    'CSP with a nonce beside unsafe-inline',
    csp("script-src 'nonce-abc' 'unsafe-inline' https: 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    '',
    'A',
  ],
  [
    'CSP with a hash',
    csp("default-src 'none'; script-src 'sha256-abc=' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"),
    '',
    'A',
  ],
  ['CSP for any host', csp("default-src *; base-uri 'self'; frame-ancestors 'self'"), 'csp csp_base', 'B'],
  ['CSP for any https host', csp("default-src https: 'unsafe-inline'; frame-ancestors 'self'"), 'csp csp_inline csp_base', 'C'],
  ['CSP that is about pictures alone', csp("img-src 'self'; frame-ancestors 'self'"), ALL_CSP, 'D'],
  ['CSP that is about framing alone', csp("frame-ancestors 'none'"), ALL_CSP, 'D'],
  ['CSP that upgrades alone', csp('upgrade-insecure-requests'), `${ALL_CSP} framing`, 'E'],
  [
    'two CSPs, one of which limits',
    csp("default-src *, script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    '',
    'A',
  ],
  ['CSP without a base', csp("default-src 'self'; frame-ancestors 'none'"), 'csp_base', 'A'],
  [
    'frame-ancestors for all',
    { ...csp("default-src 'self'; base-uri 'none'; frame-ancestors *"), 'x-frame-options': 'DENY' },
    'framing',
    'A',
  ],
  [
    'X-Frame-Options of one site',
    { ...csp("default-src 'self'; base-uri 'none'"), 'x-frame-options': 'ALLOW-FROM https://a.example' },
    'framing',
    'A',
  ],
  [
    'X-Frame-Options twice the same',
    { ...csp("default-src 'self'; base-uri 'none'"), 'x-frame-options': 'SAMEORIGIN, sameorigin' },
    '',
    'A',
  ],
  [
    'X-Frame-Options twice otherwise',
    { ...csp("default-src 'self'; base-uri 'none'"), 'x-frame-options': 'SAMEORIGIN, DENY' },
    'framing',
    'A',
  ],
  ['sniffing', { ...GOOD, 'x-content-type-options': 'sniff' }, 'nosniff', 'A'],
  ['referrers everywhere', { ...GOOD, 'referrer-policy': 'unsafe-url' }, 'referrer', 'A'],
  ['referrers with an older word first', { ...GOOD, 'referrer-policy': 'no-referrer, strict-origin-when-cross-origin' }, '', 'A'],
  ['a referrer policy nobody knows', { ...GOOD, 'referrer-policy': 'never' }, 'referrer', 'A'],
  ['Feature-Policy in place of its successor', { ...without('permissions-policy'), 'feature-policy': "camera 'none'" }, 'permissions', 'A'],
  ['Permissions-Policy in the old form', { ...GOOD, 'permissions-policy': "camera 'none'" }, 'permissions', 'A'],
  ['no isolation', without('cross-origin-opener-policy', 'cross-origin-embedder-policy', 'cross-origin-resource-policy'), ISOLATION, 'A'],
  [
    'isolation switched off',
    {
      ...GOOD,
      'cross-origin-opener-policy': 'unsafe-none',
      'cross-origin-embedder-policy': 'unsafe-none',
      'cross-origin-resource-policy': 'cross-origin',
    },
    ISOLATION,
    'A',
  ],
  ['a good session cookie', cookie('sid=1; Path=/; Secure; HttpOnly; SameSite=Lax; Expires=Wed, 21 Oct 2026 07:28:00 GMT'), '', 'A'],
  ['a session cookie for scripts', cookie('PHPSESSID=1; path=/; secure; samesite=lax'), 'cookies', 'A'],
  [
    'a cookie for other sites by http',
    cookie('lang=de; Expires=Wed, 21 Oct 2026 07:28:00 GMT, theme=dark; Secure; SameSite=Lax'),
    'cookies',
    'A',
  ],
  [
    'a token against forged requests, for scripts',
    cookie('XSRF-TOKEN=1; Secure; SameSite=Strict, __Host-session=2; Secure; HttpOnly; SameSite=None; Path=/'),
    '',
    'A',
  ],
  [
    'a usual blog',
    { server: 'Apache/2.4.58 (Debian)', 'x-powered-by': 'PHP/8.1.2', 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' },
    `${ALL_HSTS} ${ALL_CSP} referrer permissions ${ISOLATION} banner`,
    'F',
  ],
  [
    'a framework with the usual middleware',
    {
      [HSTS]: 'max-age=15552000; includeSubDomains',
      [CSP]:
        "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    },
    'hsts_preload permissions embedder',
    'A',
  ],
  [
    'HSTS and little else',
    {
      [HSTS]: 'max-age=31536000; includeSubDomains; preload',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    },
    `${ALL_CSP} permissions ${ISOLATION}`,
    'E',
  ],
]

describe('sites: graded sets of headers', () => {
  it('there are 40 at least', () => expect(SETS.length).to.be.at.least(40))

  for (const [name, headers, failing, grade] of SETS)
    it(`${name}: ${grade}`, () => {
      const verdict = weigh(headerFindings(headers, true))
      const failed = verdict.checks.filter(({ passed }) => !passed).map(({ id }) => id.replace('headers.', ''))
      expect(failed.sort().join(' ')).to.equal(failing.split(' ').sort().join(' '))
      expect(verdict.grade, `score ${String(verdict.score)}`).to.equal(grade)
    })

  it('by plain http HSTS has no effect', () => {
    const failed = headerFindings(GOOD, false).filter(({ passed }) => !passed)
    expect(failed.map(({ id }) => id)).to.deep.equal(['headers.hsts', 'headers.hsts_subdomains', 'headers.hsts_preload'])
  })

  it('headers of 32 KiB are read in time that grows with their length', () => {
    for (const text of [
      ' '.repeat(32_768),
      'a='.repeat(16_384),
      ';'.repeat(32_768),
      ','.repeat(32_768),
      'a '.repeat(16_384),
      '=,'.repeat(16_384),
      '1'.repeat(32_768),
    ]) {
      const headers = Object.fromEntries(
        [...Object.keys(GOOD), 'set-cookie', 'x-frame-options', 'via', 'server'].map((name) => [name, text]),
      )
      expect(headerFindings(headers, true)).to.have.lengthOf(16)
    }
  })
})
