import type { Params } from './calls.js'

/** What a generated input is: it fits the schema; it differs from one that does at one place; it has one hostile text in it. */
export type Kind = 'fitting' | 'nearly' | 'hostile'

export interface Generated {
  readonly kind: Kind
  readonly params: Params
}

/** As much of a JSON Schema as inputs use. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

type Place = readonly (string | number)[]

const WORDS = 'kettle steel acme.test example.com Ada Lovelace de en png pdf R-17 2026-01-31 first.last@example.com größe 東京'.split(' ')
const TYPES: readonly unknown[] = [true, -1, 1.5, 1e21, '', 'x', [], {}, [[]], { $gt: '' }, ['x', 1], { toString: 1 }]
/** How often an optional field is there. */
const OPTIONAL = 0.25
const LONGEST_LIST = 3
const LONGEST_TEXT = 40

/** Makes inputs of a capability from its schema and from inputs that are known to succeed. */
export class Generator {
  readonly #random: () => number
  readonly #hostile: readonly string[]

  constructor(random: () => number, hostile: readonly string[]) {
    this.#random = random
    this.#hostile = hostile
  }

  next(schema: Schema, known: readonly Params[]): Generated {
    const kind = this.#pick<Kind>(['fitting', 'nearly', 'hostile'])
    const fitting = this.#fitting(schema, this.#pick(known))
    if (kind === 'fitting') return { kind, params: fitting }
    if (kind === 'hostile') {
      const places = textsOf(fitting)
      return { kind, params: places.length === 0 ? fitting : changed(fitting, this.#pick(places), this.#pick(this.#hostile)) }
    }
    return { kind, params: this.#nearly(schema, fitting) }
  }

  #fitting({ properties = {} }: Schema, known: Params): Params {
    const more = Object.entries(properties).filter(([name]) => !Object.hasOwn(known, name) && this.#random() < OPTIONAL)
    return { ...known, ...Object.fromEntries(more.map(([name, each]) => [name, this.#value(each)])) }
  }

  #value(schema: Schema): unknown {
    if (schema.anyOf !== undefined) return this.#value(this.#pick(schema.anyOf))
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return this.#pick(schema.enum)
    switch (schema.type) {
      case 'boolean':
        return this.#random() < 0.5
      case 'integer':
        return Math.round(this.#between(schema))
      case 'number':
        return this.#between(schema)
      case 'array':
        return Array.from({ length: this.#length(schema) }, () => this.#value(schema.items ?? {}))
      case 'object':
        return this.#fitting(schema, this.#required(schema))
      case 'null':
        return null
      default:
        return this.#text(schema)
    }
  }

  #required({ properties = {}, required = [] }: Schema): Params {
    return Object.fromEntries(required.map((name) => [name, this.#value(properties[name] ?? {})]))
  }

  #length({ minItems = 0, maxItems = LONGEST_LIST }: Schema): number {
    return minItems + Math.floor(this.#random() * (Math.min(maxItems, minItems + LONGEST_LIST) - minItems + 1))
  }

  #between({ minimum = -1e6, maximum = 1e6 }: Schema): number {
    return this.#random() < 0.2 ? this.#pick([minimum, maximum]) : minimum + this.#random() * (maximum - minimum)
  }

  #text({ minLength = 0, maxLength = LONGEST_TEXT }: Schema): string {
    const text = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => this.#pick(WORDS)).join(' ')
    return text.padEnd(minLength, 'x').slice(0, maxLength)
  }

  /** One field of another type, beyond a bound, left out, or one too many. */
  #nearly(schema: Schema, fitting: Params): Params {
    const name = this.#pick(Object.keys(fitting))
    const field = schema.properties?.[name] ?? {}
    const bound = beyond(field)
    const breaks: readonly (() => Params)[] = [
      () => ({ ...fitting, [name]: this.#pick(TYPES) }),
      () => ({ ...fitting, [name]: bound ?? this.#pick(TYPES) }),
      () => Object.fromEntries(Object.entries(fitting).filter(([each]) => each !== name)),
      () => ({ ...fitting, [`${name}_`]: fitting[name] }),
      () => ({ ...fitting, __proto__x: {}, constructor: 1 }),
      () => ({ ...fitting, [name.toUpperCase()]: fitting[name] }),
    ]
    return this.#pick(breaks)()
  }

  #pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.#random() * list.length)]
    if (picked === undefined) throw new Error('there is nothing to pick from')
    return picked
  }
}

/** A value just beyond a bound of a schema; undefined when it has none. */
function beyond({ type, minimum, maximum, maxLength, minLength = 0, maxItems, enum: values }: Schema): unknown {
  if (values !== undefined) return 'none of them'
  if (maximum !== undefined) return maximum + 1
  if (minimum !== undefined) return minimum - 1
  if (maxLength !== undefined) return 'x'.repeat(maxLength + 1)
  if (maxItems !== undefined) return Array.from({ length: maxItems + 1 }, () => 'x')
  return type === 'string' && minLength > 0 ? '' : undefined
}

/** The places of all texts in a value. */
function textsOf(value: unknown, at: Place = []): Place[] {
  if (typeof value === 'string') return [at]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, [...at, Array.isArray(value) ? Number(name) : name]))
}

function changed(params: Params, [name = '', ...rest]: Place, text: string): Params {
  return { ...params, [name]: inner(params[name], rest, text) }
}

function inner(value: unknown, [name, ...rest]: Place, text: string): unknown {
  if (name === undefined) return text
  if (Array.isArray(value)) return value.map((each: unknown, at) => (at === name ? inner(each, rest, text) : each))
  const fields = Object.entries(value ?? {}).map(([each, old]: [string, unknown]) => [each, each === name ? inner(old, rest, text) : old])
  return Object.fromEntries(fields) as Params
}

const HOSTS = [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '0.0.0.0',
  '[::]',
  'trap.test',
  '１２７.０.０.１',
  '127。0。0。1',
  'ⓛocalhost',
  'user:pass@127.0.0.1',
  'LOCALHOST.',
  '127.0.0.1.',
]

/** Addresses that lead to a port of this machine, or to its cloud, by every way there is. */
export function insideAddresses(trap: number): readonly string[] {
  const port = String(trap)
  return [
    ...HOSTS.map((host) => `http://${host}:${port}/`),
    ...['http://169.254.169.254/latest/meta-data/', 'http://metadata.test/', 'http://[fe80::1%25eth0]/', 'http://10.0.0.1/'],
    ...[`http:\\\\127.0.0.1:${port}\\`, `http://127.0.0.1:${port}#@example.com/`, `http://example.com@127.0.0.1:${port}/`],
    ...['file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,<p>x', `gopher://127.0.0.1:${port}/_x`, `ftp://127.0.0.1:${port}/`],
  ]
}

/** Addresses of a site that is open to all and leads on to a port of this machine. */
export function leadingInside(trap: number, site: string): readonly string[] {
  const led = encodeURIComponent(`http://127.0.0.1:${String(trap)}/`)
  return [`${site}/0/redirect?to=${led}`, `${site}/0/frame?to=${led}`]
}

/** Texts that an attacker would send: addresses that lead inside, and what breaks readers of texts. */
export function hostileTexts(trap: number, site: string): readonly string[] {
  return [
    ...insideAddresses(trap),
    ...leadingInside(trap, site),
    ...HOSTS.map((host) => `${host}:${String(trap)}`),
    ...[`${site}/0/page\u0000`, `${site}/0/nothing`, '//127.0.0.1/', 'first.last@[127.0.0.1]', 'x@trap.test', 'x@metadata.test'],
    ...['trap.test', 'metadata.test', '127.0.0.1', 'localhost', 'a..b.test', '-a.test', 'xn--80ak6aa92e.com', 'аррӏе.com'],
    ...['\u202emoc.elpmaxe', 'exa\u200bmple.com', 'exa\tmple.com', 'example.com\r\nX-Evil: 1', 'example.com\r\nRCPT TO:<x@y>'],
    ...['', ' ', '\u0000', '\ud800', '\u0007\u001b[31m', '../../etc/passwd', "' or 1=1 --", '{"$gt":""}', '$(id)', '`id`', '%00%ff'],
    ...['x'.repeat(5_000), `http://${'a.'.repeat(2_000)}test/`, `${'a'.repeat(64)}@${'b'.repeat(250)}.test`, 'x'.repeat(1 << 20)],
  ]
}
