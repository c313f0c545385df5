import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LoadedProvider } from '../../../../core/loader/types.js'
import { isRecord } from '../../../../core/sdk/json.js'
import { FAULT_KINDS, OBSTACLES, SchemaCompiler, Type, type Static } from '../../../../core/sdk/index.js'

/** Name of a file beside fixtures. */
const FIXTURE_FILE = /^[\w-][\w.-]*$/
const closed = { additionalProperties: false }
const Text = Type.String()
const Bag = Type.Record(Text, Type.Unknown())
const Headers = Type.Record(Text, Text)
const FaultShape = Type.Object(
  {
    kind: Type.Unsafe<(typeof FAULT_KINDS)[number]>({ type: 'string', enum: [...FAULT_KINDS] }),
    loc: Type.Optional(Type.Array(Type.Union([Text, Type.Number()]))),
    obstacle: Type.Optional(Type.Unsafe<(typeof OBSTACLES)[number]>({ type: 'string', enum: [...OBSTACLES] })),
  },
  closed,
)
/** The Fault that a case ends with; unnamed fields are not compared. */
const EndShape = Type.Object({ ...FaultShape.properties, retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0 })) }, closed)
/** Bytes: as text, in Base64, or those of a file in the folder `files` beside the fixture. */
const Optional = {
  text: Type.Optional(Text),
  base64: Type.Optional(Text),
  file: Type.Optional(Type.String({ pattern: FIXTURE_FILE.source })),
}
/** Bytes to compare. */
const Compared = {
  ...Optional,
  sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  size: Type.Optional(Type.Integer({ minimum: 0 })),
}

const PartShape = Type.Object({ name: Text, filename: Type.Optional(Text), contentType: Type.Optional(Text), ...Compared }, closed)
const RequestShape = Type.Object(
  {
    method: Text,
    /** Below the vendor's address; or `address`, one from a reply, which is requested without credentials. */
    path: Type.Optional(Text),
    address: Type.Optional(Type.String({ pattern: '^https?://' })),
    host: Type.Optional(Text),
    query: Type.Optional(Bag),
    headers: Type.Optional(Headers),
    json: Type.Optional(Type.Unknown()),
    form: Type.Optional(Headers),
    multipart: Type.Optional(Type.Array(PartShape)),
    ...Compared,
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
    /** Optional secrets of the vendor that the operator has not set; every other secret NAME has the value `secret-NAME`. */
    without: Type.Optional(Type.Array(Text, { minItems: 1 })),
    /** Files of the call that the input names by their ids, which are numbered: 00…01, 00…02. */
    scratch: Type.Optional(Type.Array(Type.Object(Optional, closed))),
    exchanges: Type.Optional(Type.Array(Type.Object({ request: RequestShape, reply: ReplyShape }, closed))),
    calls: Type.Optional(
      Type.Array(
        Type.Object(
          {
            port: Text,
            /** Any input when absent. */
            input: Type.Optional(Bag),
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
    /** Reported token counts of the model vendor, in order; not compared when absent. */
    tokens: Type.Optional(Type.Array(Type.Object({ model: Text, input: Type.Integer(), output: Type.Integer() }, closed))),
    /** Reported costs of the vendor, in order; not compared when absent. */
    costs: Type.Optional(Type.Array(Type.Object({ amount: Type.Number(), currency: Text }))),
    net: Type.Optional(
      Type.Array(
        Type.Object(
          {
            dns: Type.Optional(Type.Array(Text, { minItems: 2, maxItems: 2 })),
            tls: Type.Optional(Text),
            /** Name, type and, for a query with the CD bit, `unchecked`. */
            query: Type.Optional(Type.Array(Text, { minItems: 2, maxItems: 3 })),
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
    fault: Type.Optional(EndShape),
  },
  closed,
)
const FileShape = Type.Object(
  { live: Type.Optional(Type.Object({ program: Text }, closed)), cases: Type.Array(CaseShape, { minItems: 1 }) },
  closed,
)

/** Compiled once for all fixtures. */
const shape = new SchemaCompiler().compile(FileShape)

export type FixtureFile = Static<typeof FileShape>
export type FixtureCase = Static<typeof CaseShape>
export type FixtureRequest = Static<typeof RequestShape>
export type FixtureReply = Static<typeof ReplyShape>
export type FixtureFault = Static<typeof FaultShape>

/** Name of a provider's fixture, without `.json`: its vendor and port, since one file may serve several ports. */
export function fixtureName({ vendor, contribution }: LoadedProvider): string {
  return `${vendor.id}.${contribution.of.id}`
}

/** Reads and checks a fixture file; throws an Error that names the invalid place. */
export async function readFixture(file: string): Promise<FixtureFile> {
  const content: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!shape.check(content)) throw new Error(`${file}: ${explained(shape.errors())}`)
  await loadFiles(content, join(dirname(file), 'files'))
  for (const each of content.cases) {
    for (const { request } of each.exchanges ?? [])
      if ((request.path === undefined) === (request.address === undefined))
        throw new Error(`${file}: a request of the case "${each.name}" must have either path or address`)
    const ends = [each.output !== undefined, each.nothing !== undefined, each.fault !== undefined].filter(Boolean).length
    if (ends !== 1) throw new Error(`${file}: the case "${each.name}" must have exactly one of output, nothing and fault`)
  }
  if (!content.cases.some((each) => each.output !== undefined)) throw new Error(`${file}: no case has an output`)
  return content
}

/** Bytes in a fixture, or their properties. */
export interface FixtureBytes {
  readonly text?: string
  readonly base64?: string
  readonly sha256?: string
  readonly size?: number
}

/** The bytes of a fixture's `text`, `base64` or `file`; empty when it has none. */
export function bytesOf(given: FixtureBytes): Buffer {
  return given.base64 === undefined ? Buffer.from(given.text ?? '') : Buffer.from(given.base64, 'base64')
}

/** How bytes differ from a fixture, or null; without an expectation there must be none. */
export function bytesFault(given: FixtureBytes, bytes: Uint8Array): string | null {
  const { text, base64, sha256, size } = given
  if (text === undefined && base64 === undefined && sha256 === undefined && size === undefined)
    return bytes.length === 0 ? null : `${shown(bytes)}, but none are recorded`
  if (size !== undefined && bytes.length !== size) return `${String(bytes.length)} bytes, expected ${String(size)}`
  const found = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== undefined && found !== sha256) return `bytes with SHA-256 ${found}, expected ${sha256}`
  return (text === undefined && base64 === undefined) || bytesOf(given).equals(bytes) ? null : shown(bytes)
}

function shown(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes.subarray(0, 200)).toString())
}

/** Names of the files that a fixture refers to. */
export function filesOf(content: unknown): string[] {
  return placesOf(content).map(({ file }) => file)
}

/** Replaces names of files by their bytes. */
async function loadFiles(content: FixtureFile, folder: string): Promise<void> {
  for (const place of placesOf(content)) place.take((await readFile(join(folder, place.file))).toString('base64'))
}

/** Places where a fixture names a file: in requests, parts, replies, files of the call and of programs, and expected files. */
function placesOf(content: unknown): { readonly file: string; readonly take: (base64: string) => void }[] {
  if (Array.isArray(content)) return content.flatMap(placesOf)
  if (!isRecord(content)) return []
  return Object.entries(content)
    .flatMap(([key, value]) => (OPAQUE.has(key) ? placesOfExpected(value) : placesOf(value)))
    .concat(own(content))
}

/** Values of the vendor and of the port, in which `file` has no special meaning. */
const OPAQUE = new Set(['json', 'input', 'settings', 'answer', 'form', 'query', 'headers', 'output'])

/** In an expected output files are below `$file`. */
function placesOfExpected(value: unknown): ReturnType<typeof placesOf> {
  if (Array.isArray(value)) return value.flatMap(placesOfExpected)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, each]) => (key === '$file' && isRecord(each) ? own(each) : placesOfExpected(each)))
}

function own(holder: Record<string, unknown>): ReturnType<typeof placesOf> {
  const { file } = holder
  if (typeof file !== 'string') return []
  return [
    {
      file,
      take: (base64) => {
        delete holder.file
        holder.base64 = base64
      },
    },
  ]
}

function explained(errors: readonly { instancePath: string; message?: string; params: Record<string, unknown> }[]): string {
  return errors
    .map(
      ({ instancePath, message = '', params }) =>
        `${instancePath} ${message}${typeof params.additionalProperty === 'string' ? ` ("${params.additionalProperty}")` : ''}`,
    )
    .join('; ')
}
