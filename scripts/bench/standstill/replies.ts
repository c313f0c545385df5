import { filled, listed, MIB, type Served, type Shape } from './shape.js'

/** The largest reply of a vendor that is read, less a few bytes. */
const REPLY = 10 * MIB - 16
/** Fewer containers and commas than a reply may have. */
const MANY = 98_000

function reply(name: string, status: number, bytes: () => string | Uint8Array, served: Partial<Served> = {}): Shape {
  return {
    name: `vendor: ${name}`,
    status: [status],
    path: '/v1/bench/echo',
    body: () => '{"prompt":"hello"}',
    serves: () => ({ contentType: 'application/json', bytes: Buffer.from(bytes()), ...served }),
  }
}

const around = (before: string, after = ''): readonly [string, string] => [`{"choices":[{"message":{"content":"${before}`, `${after}"}}]}`]
const choices = (part: (index: number) => string): string => `{"choices":[{"message":{"content":"x"}}],"more":[${listed(MANY, part)}]}`

/** Replies of a vendor that the operator trusts with his questions and nobody with his event loop. */
export const replies: readonly Shape[] = [
  reply('empty lists', 502, () => filled(REPLY, '[],', ['{"choices":[', '[]]}'])),
  reply('open lists', 502, () => filled(REPLY, '[')),
  reply('one text', 200, () => filled(REPLY, 'a', around(''))),
  reply('one text of 漢', 200, () => filled(REPLY, '漢', around(''))),
  reply('one text of \\u0001', 200, () => filled(REPLY, '\\u0001', around(''))),
  reply('one text of \\"', 200, () => filled(REPLY, '\\"', around(''))),
  reply('letters and one 😀', 200, () => filled(REPLY, 'a', around('', '😀'))),
  reply('a picture in base64', 200, () => filled(REPLY, 'QUJD', around('data:image/png;base64,'))),
  reply('many texts', 200, () => choices(() => `"${'a'.repeat(90)}"`)),
  reply('many numbers', 200, () => choices((index) => `0.${'3'.repeat(90)}${index}`)),
  reply('many objects', 200, () => `{"choices":[${listed(33_000, (index) => `{"message":{"content":"${'a'.repeat(200)}${index}"}}`)}]}`),
  reply(
    '20,000 fields of one object',
    200,
    () => `{"choices":[{"message":{"content":"x"}}],${listed(19_900, (index) => `"${'k'.repeat(500)}${index}":0`)}}`,
  ),
  reply('many fields of one object', 502, () => `{"choices":[],${listed(98_000, (index) => `"${'k'.repeat(80)}${index}":0`)}}`),
  reply(
    'many objects that do not fit',
    502,
    () => `{"choices":[${listed(33_000, (index) => `{"message":{"k${index % 100}":"${'a'.repeat(200)}"}}`)}]}`,
  ),
  reply('suspicious keys', 200, () =>
    choices(() => '"\\u005f__proto__ constructor"').replace('"more"', '"__proto__":{},"constructor":{},"more"'),
  ),
  reply('spaces', 200, () => filled(REPLY, ' ', ['{"choices":[{"message":{"content":"x"}}]', '}'])),
  reply('not JSON', 502, () => filled(REPLY, 'x')),
  reply('not UTF-8', 200, () => Buffer.concat([Buffer.from(around('')[0]), Buffer.alloc(REPLY - 100, 0xff), Buffer.from(around('')[1])])),
  reply(
    'shift_jis',
    200,
    () => Buffer.concat([Buffer.from(around('')[0]), Buffer.alloc(REPLY - 100, Buffer.from([0x82, 0xa0])), Buffer.from(around('')[1])]),
    {
      contentType: 'application/json; charset=shift_jis',
    },
  ),
  reply('an error of HTML', 502, () => filled(REPLY, '<p>error</p>'), { contentType: 'text/html', status: 500 }),
  reply('an error of JSON', 502, () => filled(REPLY, 'a', ['{"error":"', '"}']), { status: 500 }),
  reply('an error of many fields', 422, () => choices(() => `"${'a'.repeat(90)}"`), { status: 400 }),
]
