import { nullable, oneOf, SchemaCompiler, Type, type Static } from '../../../core/sdk/index.js'

/** A whole number that a double holds exactly. */
const whole = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const natural = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const text = Type.String()

const CAPS = Type.Optional(Type.Array(text))
const HOLD = Type.Object({ amt: natural, dl: whole, own: text, key: text, cap: nullable(whole), caps: CAPS })

const LINE = {
  ref: text,
  kind: oneOf('grant', 'charge', 'release', 'refund', 'adjust', 'expire'),
  amt: whole,
  at: whole,
  own: text,
  note: nullable(text),
  key: nullable(text),
  cap: nullable(whole),
  caps: CAPS,
  n: Type.Optional(natural),
}
const NEWS = Type.Object({ ...LINE, facts: nullable(Type.Object({ endpoint: text, capability: text, error: nullable(text) })) })
const ACCOUNT = Type.Object({
  _id: text,
  ...{ bal: whole, held: natural, over: natural, avail: whole, seq: natural, open: natural, capped: natural },
  ...{ pub: Type.Optional(natural), done: natural, dl: Type.Optional(whole) },
  holds: Type.Record(text, HOLD),
  out: Type.Array(NEWS),
  caps: Type.Record(text, Type.Object({ left: whole, day: whole, dleft: whole, dlim: whole })),
})
const CALL = Type.Object({ endpoint: text, capability: text, failed: Type.Boolean(), digest: text })
const ENTRY = Type.Object({
  ...LINE,
  ...{ acct: text, seq: whole, after: whole, delivered: nullable(Type.Boolean()), call: Type.Optional(CALL) },
})
const FACTS = Type.Object({})
const DETAILS = Type.Object({
  ...{ _id: text, acct: text, seq: whole, ref: text, amt: whole, at: whole },
  ...{ facts: Type.Optional(FACTS), of: Type.Optional(FACTS) },
})
const COUNT = Type.Object({ calls: natural, errors: natural, credits: whole })
const USAGE = Type.Object({ acct: text, day: whole, applied: natural, rows: Type.Record(text, COUNT) })
const KEY = Type.Object({
  ...{ _id: text, acct: text, used: whole, applied: natural },
  ...{ credit_limit: nullable(natural), credit_limit_per_day: nullable(natural) },
})
const GATEWAY = Type.Object({
  ...{ _id: text, expires: Type.Optional(whole), upto: Type.Optional(natural) },
  ...{ open: Type.Optional(Type.Array(natural)), ended: Type.Optional(Type.Boolean()) },
})
const RETENTION = Type.Object({ before: natural })
const KEPT = Type.Object({ acct: text, hid: text, answer: Type.Object({ amount: whole }) })

export type AuditedAccount = Static<typeof ACCOUNT>
/** A published entry. */
export type AuditedLine = Static<typeof ENTRY>
/** An entry that is not published yet, with the facts of its call. */
export type AuditedNews = Static<typeof NEWS>
/** The call summary in an entry. */
export type AuditedCall = Static<typeof CALL>
export type AuditedDetails = Static<typeof DETAILS>
export type AuditedGateway = Static<typeof GATEWAY>
export type AuditedUsage = Static<typeof USAGE>
export type AuditedKey = Static<typeof KEY>
/** Validators of each collection's documents; unknown fields of later versions are ignored. */
export function buildGuards() {
  const compiler = new SchemaCompiler()
  return {
    account: compiler.compile(ACCOUNT),
    entry: compiler.compile(ENTRY),
    details: compiler.compile(DETAILS),
    usage: compiler.compile(USAGE),
    key: compiler.compile(KEY),
    gateway: compiler.compile(GATEWAY),
    retention: compiler.compile(RETENTION),
    kept: compiler.compile(KEPT),
  }
}

export type Guards = ReturnType<typeof buildGuards>

/** A field of any document as text, to identify the document. */
export function textOf(document: unknown, field: string): string {
  const value: unknown = typeof document === 'object' && document !== null ? Reflect.get(document, field) : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value ?? null)
}
