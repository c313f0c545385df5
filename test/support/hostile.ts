/** A generator of requests from a seed: valid, nearly valid and hostile, over all routes. */
export interface Shot {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | null
  readonly key: 'rich' | 'poor' | 'capped' | 'narrow' | 'none' | 'wrong' | 'admin'
}

type Random = () => number

/** Mulberry32: small, seeded, good enough to scatter tests. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const TEXTS = [
  'hi',
  'blocked',
  'missing',
  'broken',
  'busy',
  'invalid',
  'bug',
  'huge',
  'quota',
  'unsure',
  'x'.repeat(100),
  'x'.repeat(101),
  '',
  '\u0000',
  '\ud800',
  '\u202e\u0007',
  '../../etc/passwd',
  "' or 1=1 --",
  '{"$gt":""}',
  '<script>',
  '%00%ff',
  '\r\nX-Evil: 1',
]
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  -0,
  2 ** 53 + 2,
  [],
  {},
  [[[]]],
  { $gt: '' },
  { toString: 'x' },
  '1',
  ['test.echo'],
]
const PATHS: readonly [string, string][] = [
  ['GET', '/v1/keys'],
  ['POST', '/v1/keys'],
  ['DELETE', '/v1/keys/key_x'],
  ['POST', '/v1/keys/key_x/rotate'],
  ['GET', '/v1/account'],
  ['GET', '/v1/calls'],
  ['GET', '/v1/calls/stats'],
  ['POST', '/v1/estimate'],
  ['POST', '/v1/playground/chat'],
  ['GET', '/v1/tools'],
  ['GET', '/v1/openapi.json'],
  ['GET', '/v1/capabilities'],
  ['GET', '/llms.txt'],
  ['GET', '/errors'],
  ['GET', '/errors/internal'],
  ['GET', '/files/abc/name.txt'],
  ['POST', '/v1/files'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/admin/v1/accounts'],
  ['POST', '/admin/v1/accounts'],
  ['GET', '/admin/v1/accounts/default'],
  ['PATCH', '/admin/v1/accounts/nobody'],
  ['POST', '/admin/v1/accounts/nobody/grants'],
  ['GET', '/admin/v1/accounts/default/keys'],
  ['POST', '/admin/v1/accounts/nobody/keys'],
  ['DELETE', '/admin/v1/accounts/default/keys/key_x'],
  ['GET', '/admin/v1/providers'],
  ['POST', '/admin/v1/providers/test.none/one/suspend'],
  ['PUT', '/admin/v1/waterfall/test.part'],
  ['DELETE', '/admin/v1/waterfall/test.part'],
  ['GET', '/admin/v1/usage'],
  ['GET', '/admin/v1/audit'],
]
const FIELDS = [
  'text',
  'mode',
  'times',
  'note',
  'capability',
  'params',
  'name',
  'scopes',
  'rate_limit_per_minute',
  'credit_limit',
  'allowed_ips',
  'expires_in_days',
  'credits',
  'amount',
  'ref',
  'order',
  'overlap_seconds',
  'extra',
]
const QUERIES = [
  'product=agent',
  'product=nothing',
  'days=7',
  'days=0',
  'days=-1',
  'days=1e3',
  'limit=1',
  'limit=201',
  'offset=99999999999999999999',
  'endpoint=%2Fv1%2Ftest%2Fecho',
  'format=raw',
  'format[]=raw',
  'single=true',
  'live=maybe',
  '__proto__=1',
  'constructor=1',
  'a'.repeat(300),
  '%ff',
  '%',
  '&&&=',
  'days=7&days=8',
  'expires=1&signature=x',
]
const RAW = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '1',
  '{"text":1e400}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{}}',
  '['.repeat(200) + ']'.repeat(200),
  '{"text":' + '['.repeat(70) + ']'.repeat(70) + '}',
  '\ufeff{}',
  '{"text":"hi"}}',
  '{"text":"hi",}',
  '{"text":"\\ud800"}',
  '{"text":"hi","text":"ho"}',
  `{"text":[${'0,'.repeat(60_000)}0]}`,
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
  'multipart/form-data; boundary=x',
  '',
  'json',
  'APPLICATION/JSON',
]

/** The next request. */
export function shot(random: Random): Shot {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const often = (share: number): boolean => random() < share
  const value = (): unknown => (often(0.5) ? pick(TEXTS) : pick(ODD))
  const call = (): Record<string, unknown> => ({
    text: pick(TEXTS),
    ...(often(0.4) ? { mode: pick(['plain', 'loud', 'odd', null]) } : {}),
    ...(often(0.1) ? { [pick(FIELDS)]: value() } : {}),
  })
  const headers: Record<string, string> = {}
  const kind = random()
  let method = 'POST'
  let path: string
  let json: unknown
  if (kind < 0.35) [path, json] = often(0.8) ? ['/v1/test/echo', call()] : ['/v1/test/send', { text: pick(TEXTS) }]
  else if (kind < 0.55)
    [path, json] = [
      '/v1/agent',
      {
        capability: pick(['echo', 'test.echo', 'test_send', '/v1/test/echo', 'agent', 'nothing', '__proto__', 1, null]),
        params: often(0.8) ? call() : pick(ODD),
      },
    ]
  else {
    ;[method, path] = pick(PATHS)
    if (often(0.1)) method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])
    if (often(0.1)) path += pick(['/', '/..', '/%2e%2e', '/%00', '//', '/%ff', '/\u00e9', '/' + 'x'.repeat(600), ';a=b', '/__proto__'])
    if (method !== 'GET' && method !== 'HEAD')
      json = Object.fromEntries(Array.from({ length: Math.floor(random() * 4) }, () => [pick(FIELDS), value()]))
  }
  if (often(0.25)) path += `?${pick(QUERIES)}${often(0.2) ? `&${pick(QUERIES)}` : ''}`
  if (often(0.15)) headers['idempotency-key'] = pick(['a', 'b', 'c', 'x'.repeat(255), 'x'.repeat(256), ' '])
  if (often(0.1)) headers.accept = pick(['application/problem+json', 'text/event-stream', '*/*', 'x'.repeat(500)])
  if (often(0.05)) headers['x-request-id'] = pick(['req-1', 'x'.repeat(300), '<>', 'a b'])
  if (often(0.05)) headers['x-forwarded-for'] = pick(['1.2.3.4', 'nonsense', '::1, 10.0.0.1', ','.repeat(100)])
  if (often(0.05)) headers.traceparent = pick(['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '00-0-0-0', 'x'])
  if (often(0.03)) headers['if-none-match'] = pick(['*', '"x"', 'W/"x", "y"', ','])
  if (often(0.03)) headers.host = pick(['[', '%', 'a b', 'evil.example.com', '', 'x:99999999'])
  if (often(0.03)) headers.expect = pick(['100-continue', 'nonsense'])
  if (often(0.03)) headers['content-encoding'] = pick(['gzip', 'identity', 'br'])
  let body = json === undefined ? null : Buffer.from(JSON.stringify(json))
  if (body !== null && often(0.08)) body = Buffer.from(pick(RAW))
  if (body !== null && often(0.02)) body = Buffer.from([0xff, 0xfe, 0x00, 0x7b])
  if (body !== null) {
    headers['content-type'] = often(0.95) ? 'application/json' : pick(TYPES)
    if (often(0.9)) headers['content-length'] = String(body.length)
    else headers['transfer-encoding'] = 'chunked'
  }
  const admin = path.startsWith('/admin')
  return {
    method,
    path: encodeURI(path).replaceAll('%25', '%'),
    headers,
    body,
    key:
      admin && often(0.9)
        ? 'admin'
        : pick(['rich', 'rich', 'rich', 'rich', 'rich', 'rich', 'rich', 'rich', 'poor', 'capped', 'narrow', 'none', 'wrong', 'admin']),
  }
}
