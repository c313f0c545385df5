import { filled, listed, MIB, type Shape } from './shape.js'

/** The largest body that any endpoint takes, and the largest of the others. */
const LARGEST = 24 * MIB
const LIGHT = MIB - 1
const CODE = '/v1/code/execute'
/** Fewer values than a body may have. */
const MANY = 49_000

const refused = { status: [422], path: CODE }
const unread = { status: [400], path: CODE }

function code(name: string, unit: string, size = LARGEST): Shape {
  return { ...refused, name, body: () => filled(size, unit, ['{"code":"', '"}']) }
}

/** So many fields of an object that together fill the size. */
function fields(size: number, count: number, letter: string): string {
  const pad = letter.repeat(Math.floor((size / count - 16) / letter.length))
  return `{${listed(count, (index) => `"${pad}${index}":${index}`)}}`
}

function packages(part: (index: number) => string): string {
  return `{"code":"1","packages":[${listed(MANY, part)}]}`
}

const file = (size: number, end = '') =>
  filled(size, 'QUJD', ['{"code":"true","language":"shell","input_files":[{"name":"a","encoding":"base64","content":"', `${end}"}]}`])
const ran = { status: [200, 503], path: CODE }

/** Bodies that no JSON object comes of. */
const broken: readonly Shape[] = [
  { ...unread, name: 'empty lists, 24 MiB', body: () => filled(LARGEST, '[],', ['{"code":[', '[]]}']) },
  { ...unread, name: 'empty objects, 24 MiB', body: () => filled(LARGEST, '{},', ['{"code":[', '{}]}']) },
  { ...unread, name: 'open lists, 24 MiB', body: () => filled(LARGEST, '[') },
  { ...unread, name: 'quotes, 24 MiB', body: () => filled(LARGEST, '"') },
  { ...unread, name: 'spaces alone, 24 MiB', body: () => filled(LARGEST, ' ') },
  { ...unread, name: 'a text without an end, 24 MiB', body: () => filled(LARGEST, 'a', ['{"code":"', '']) },
  { ...unread, name: 'backslashes, 24 MiB', body: () => filled(LARGEST, '\\', ['{"code":"', '']) },
  {
    ...unread,
    name: 'no UTF-8 at the end, 24 MiB',
    body: () => Buffer.concat([Buffer.from(filled(LARGEST - 3, 'é', ['{"code":"', ''])), Buffer.from([0xff, 0x22, 0x7d])]),
  },
  { ...unread, name: 'one key over and over, 24 MiB', body: () => filled(LARGEST, '"code":1,', ['{', '"code":1}']) },
]

/** Bodies that are JSON and do not fit. */
const violations: readonly Shape[] = [
  code('a text of letters, 24 MiB', 'a'),
  code('a text of letters, 8 MiB', 'a', 8 * MIB),
  code('a text of letters, 1 MiB', 'a', LIGHT),
  code('a text of \\u0000, 24 MiB', '\\u0000'),

  code('a text of \\", 24 MiB', '\\"'),
  code('a text of é, 24 MiB', 'é'),
  code('a text of 漢, 24 MiB', '漢'),
  code('a text of 😀, 24 MiB', '😀'),
  { ...refused, name: 'letters and one 😀, 24 MiB', body: () => filled(LARGEST, 'a', ['{"code":"', '😀"}']) },
  { ...refused, name: 'base64, 24 MiB', body: () => file(LARGEST) },
  { ...refused, name: 'no base64 at its end, 13 MiB', body: () => file(13 * MIB, '*===') },
  {
    ...refused,
    name: 'a file of letters and one 😀, 24 MiB',
    body: () => filled(LARGEST, 'a', ['{"code":"1","input_files":[{"name":"a","content":"', '😀"}]}']),
  },
  { ...refused, name: 'many texts, 24 MiB', body: () => packages(() => `"${'a'.repeat(480)}"`) },
  { ...refused, name: 'many long numbers, 24 MiB', body: () => packages(() => `0.${'3'.repeat(480)}`) },
  { ...refused, name: 'many values, 1 MiB', body: () => packages((index) => String(index)) },
  { ...refused, name: 'many unknown fields, 24 MiB', body: () => fields(LARGEST - 2 * MIB, MANY, 'k') },
  { ...refused, name: 'many unknown fields of \\u0001, 24 MiB', body: () => fields(LARGEST - 2 * MIB, MANY, '\\u0001') },
  { ...refused, name: 'many unknown fields, 1 MiB', body: () => `{${listed(MANY, (index) => `"${index}x":0`)}}` },
  { ...unread, name: 'one unknown field of 24 MiB', body: () => filled(LARGEST, 'k', ['{"', '":1}']) },
  {
    ...refused,
    name: 'files of many fields, 1 MiB',
    body: () => `{"code":"1","input_files":[${listed(24_000, (index) => `{"x":${index}}`)}]}`,
  },
  { ...refused, name: '63 levels, 24 MiB', body: () => filled(LARGEST, 'a', [`{"code":${'['.repeat(62)}"`, `"${']'.repeat(62)}}`]) },
]

/** Bodies that fit. */
const fitting: readonly Shape[] = [
  { ...ran, name: 'a program behind spaces, 24 MiB', body: () => filled(LARGEST, ' ', ['{', '"code":"1","language":"javascript"}']) },
  { ...ran, name: 'a program of 1,000,000 letters', body: () => filled(1_000_000, 'a', ['{"language":"javascript","code":"/*', '*/"}']) },
  { ...ran, name: 'a file in base64, 13 MiB', body: () => file(13 * MIB) },
  {
    ...ran,
    name: 'a file of 漢, 9 MiB',
    body: () => filled(9 * MIB, '漢', ['{"code":"true","language":"shell","input_files":[{"name":"a","content":"', '"}]}']),
  },
  {
    ...ran,
    name: 'a file of \\u6f22, 18 MiB',
    body: () => filled(18 * MIB, '\\u6f22', ['{"code":"true","language":"shell","input_files":[{"name":"a","content":"', '"}]}']),
  },
]

const AGENT = '/v1/agent'
const KEYED = { 'idempotency-key': 'standstill' }

/** The same by other ways. */
const ways: readonly Shape[] = [
  { name: '/v1/agent: empty lists, 24 MiB', path: AGENT, status: [400], body: () => filled(LARGEST, '[],', ['{"params":[', '[]]}']) },
  {
    name: '/v1/agent: a text of letters, 24 MiB',
    path: AGENT,
    status: [422],
    body: () => filled(LARGEST, 'a', ['{"capability":"code.execute","params":{"code":"', '"}}']),
  },
  {
    name: '/v1/agent: an unknown capability, 24 MiB',
    path: AGENT,
    status: [422],
    body: () => filled(LARGEST, '漢', ['{"capability":"none","params":{"code":"', '"}}']),
  },
  {
    name: '/v1/agent: too large for the capability, 24 MiB',
    path: AGENT,
    status: [413],
    body: () => filled(LARGEST, 'a', ['{"capability":"bench.echo","params":{"prompt":"', '"}}']),
  },
  {
    name: 'Idempotency-Key: a text of letters, 24 MiB',
    path: CODE,
    status: [422],
    headers: KEYED,
    body: () => filled(LARGEST, 'a', ['{"code":"', '"}']),
  },
  {
    name: 'Idempotency-Key: a text of \\u0000, 24 MiB',
    path: CODE,
    status: [422],
    headers: KEYED,
    body: () => filled(LARGEST, '\\u0000', ['{"code":"', '"}']),
  },
  {
    name: 'Idempotency-Key: many fields, 24 MiB',
    path: CODE,
    status: [422],
    headers: KEYED,
    body: () => fields(LARGEST - 2 * MIB, MANY, 'k'),
  },
  { name: 'Idempotency-Key: many values, 1 MiB', path: CODE, status: [422], headers: KEYED, body: () => packages((index) => `"${index}"`) },
  { name: 'Idempotency-Key: a file in base64, 13 MiB', path: CODE, status: [200, 503], headers: KEYED, body: () => file(13 * MIB) },
  { name: '/v1/search: a query of 1 MiB', path: '/v1/search', status: [422], body: () => filled(LIGHT, '漢', ['{"query":"', '"}']) },
  { name: '/v1/keys: a name of 1 MiB', path: '/v1/keys', status: [422], body: () => filled(LIGHT, 'a', ['{"name":"', '"}']) },
  {
    name: '/v1/scrape: an address of 1 MiB',
    path: '/v1/scrape',
    status: [422],
    body: () => filled(LIGHT, '.', ['{"url":"http://a', '"}']),
  },
  {
    name: 'a vendor is sent a text of 1 MiB',
    path: '/v1/bench/echo',
    status: [200],
    body: () => filled(LIGHT, '\\"', ['{"prompt":"', '"}']),
  },
]

/** Requests whose body is the weight. */
export const bodies: readonly Shape[] = [...broken, ...violations, ...fitting, ...ways]
