import { readFile } from 'node:fs/promises'
import { FAULT_KINDS, SchemaCompiler, Type, type Static } from '../sdk/index.js'

const closed = { additionalProperties: false }
const Text = Type.String()
const Bag = Type.Record(Text, Type.Unknown())
const Headers = Type.Record(Text, Text)
const FaultShape = Type.Object(
  {
    kind: Type.Unsafe<(typeof FAULT_KINDS)[number]>({ type: 'string', enum: [...FAULT_KINDS] }),
    loc: Type.Optional(Type.Array(Type.Union([Text, Type.Number()]))),
  },
  closed,
)
const Optional = { text: Type.Optional(Text), base64: Type.Optional(Text) }

const PartShape = Type.Object({ name: Text, filename: Type.Optional(Text), contentType: Type.Optional(Text), ...Optional }, closed)
const RequestShape = Type.Object(
  {
    method: Text,
    path: Text,
    host: Type.Optional(Text),
    query: Type.Optional(Bag),
    headers: Type.Optional(Headers),
    json: Type.Optional(Type.Unknown()),
    form: Type.Optional(Headers),
    multipart: Type.Optional(Type.Array(PartShape)),
    ...Optional,
  },
  closed,
)
const ReplyShape = Type.Object(
  { status: Type.Optional(Type.Integer()), headers: Type.Optional(Headers), json: Type.Optional(Type.Unknown()), ...Optional },
  closed,
)
const ExecShape = Type.Object(
  {
    code: Type.Optional(Type.Integer()),
    stdout: Type.Optional(Text),
    stderr: Type.Optional(Text),
    stopped: Type.Optional(
      Type.Unsafe<'time' | 'memory' | 'output' | 'aborted'>({ type: 'string', enum: ['time', 'memory', 'output', 'aborted'] }),
    ),
    files: Type.Optional(Type.Array(Type.Object({ name: Text, ...Optional }, closed))),
    endSeen: Type.Optional(Type.Boolean()),
  },
  closed,
)
const CaseShape = Type.Object(
  {
    name: Text,
    input: Bag,
    settings: Type.Optional(Bag),
    /** Files of the call that the input names by their ids, which are counted: 00…01, 00…02. */
    scratch: Type.Optional(Type.Array(Type.Object(Optional, closed))),
    exchanges: Type.Optional(Type.Array(Type.Object({ request: RequestShape, reply: ReplyShape }, closed))),
    calls: Type.Optional(
      Type.Array(
        Type.Object(
          {
            port: Text,
            input: Bag,
            output: Type.Optional(Type.Unknown()),
            nothing: Type.Optional(Type.Literal(true)),
            fault: Type.Optional(FaultShape),
          },
          closed,
        ),
      ),
    ),
    web: Type.Optional(
      Type.Array(
        Type.Object({ url: Text, final: Type.Optional(Text), reply: Type.Optional(ReplyShape), fault: Type.Optional(FaultShape) }, closed),
      ),
    ),
    exec: Type.Optional(
      Type.Array(
        Type.Object(
          { program: Text, args: Type.Optional(Type.Array(Text)), result: Type.Optional(ExecShape), fault: Type.Optional(FaultShape) },
          closed,
        ),
      ),
    ),
    llm: Type.Optional(
      Type.Array(
        Type.Object(
          {
            json: Type.Optional(Type.Unknown()),
            text: Type.Optional(Text),
            truncated: Type.Optional(Type.Boolean()),
            fault: Type.Optional(FaultShape),
          },
          closed,
        ),
      ),
    ),
    /** What the model vendor counted, in the order it was told; not looked at when absent. */
    tokens: Type.Optional(Type.Array(Type.Object({ model: Text, input: Type.Integer(), output: Type.Integer() }, closed))),
    net: Type.Optional(
      Type.Array(
        Type.Object(
          {
            dns: Type.Optional(Type.Array(Text, { minItems: 2, maxItems: 2 })),
            tls: Type.Optional(Text),
            query: Type.Optional(Type.Array(Text, { minItems: 2, maxItems: 2 })),
            inspectTls: Type.Optional(Text),
            connect: Type.Optional(Type.Array(Text, { minItems: 2, maxItems: 2 })),
            lines: Type.Optional(Type.Array(Type.String({ pattern: '^(?:[<>] |= tls$)' }))),
            answer: Type.Optional(Type.Unknown()),
            fault: Type.Optional(FaultShape),
          },
          closed,
        ),
      ),
    ),
    output: Type.Optional(Type.Unknown()),
    nothing: Type.Optional(Type.Literal(true)),
    fault: Type.Optional(FaultShape),
  },
  closed,
)
const FileShape = Type.Object(
  { live: Type.Optional(Type.Object({ program: Text }, closed)), cases: Type.Array(CaseShape, { minItems: 1 }) },
  closed,
)

export type FixtureFile = Static<typeof FileShape>
export type FixtureCase = Static<typeof CaseShape>
export type FixtureRequest = Static<typeof RequestShape>
export type FixtureReply = Static<typeof ReplyShape>
export type FixtureFault = Static<typeof FaultShape>

/** Reads and checks a fixture file; throws with the place of what does not fit. */
export async function readFixture(file: string): Promise<FixtureFile> {
  const content: unknown = JSON.parse(await readFile(file, 'utf8'))
  const validator = new SchemaCompiler().compile(FileShape)
  if (!validator.check(content)) throw new Error(`${file}: ${explained(validator.errors())}`)
  for (const each of content.cases) {
    const ends = [each.output !== undefined, each.nothing !== undefined, each.fault !== undefined].filter(Boolean).length
    if (ends !== 1) throw new Error(`${file}: the case "${each.name}" must have exactly one of output, nothing and fault`)
  }
  if (!content.cases.some((each) => each.output !== undefined)) throw new Error(`${file}: no case has an output`)
  return content
}

/** The bytes a fixture gives as `text` or `base64`; empty when it gives neither. */
export function bytesOf(given: { text?: string; base64?: string }): Buffer {
  return given.base64 === undefined ? Buffer.from(given.text ?? '') : Buffer.from(given.base64, 'base64')
}

function explained(errors: readonly { instancePath: string; message?: string; params: Record<string, unknown> }[]): string {
  return errors
    .map(
      ({ instancePath, message = '', params }) =>
        `${instancePath} ${message}${typeof params.additionalProperty === 'string' ? ` ("${params.additionalProperty}")` : ''}`,
    )
    .join('; ')
}
