import {
  Fault,
  foreignJson,
  provider,
  SchemaCompiler,
  Type,
  type ExecResult,
  type ProviderContext,
  type SettingsOf,
  type Static,
} from '../../../core/sdk/index.js'
import { modal as vendor } from '../../_vendors/modal.js'
import { execute, type CodeInput } from '../contract.js'
import { MODAL_PROGRAM, type ModalJob } from '../guest/modal-run.js'
import { imageFor } from '../image.js'
import { givenFiles, type GivenFile } from '../input-files.js'
import { fileOf, textOf } from '../program.js'
import { cappedScript, ranOut } from '../remote-vendor.js'
import { answer, OUTPUT } from '../result.js'

type Context = ProviderContext<SettingsOf<typeof vendor>>

const MIB = 1024 * 1024
/** Numeric gRPC status codes in the package's transport errors. */
const UNAUTHENTICATED = [16, 7]
const EXHAUSTED = 8

const Text = Type.String()
const reply = Type.Object({
  end: Type.Optional(
    Type.Object({
      code: Type.Integer(),
      stdout: Text,
      stderr: Text,
      bootMs: Type.Number(),
      runMs: Type.Number(),
      files: Type.Array(Type.Object({ name: Text, base64: Text })),
      filesLeft: Type.Integer(),
    }),
  ),
  error: Type.Optional(Type.Object({ name: Text, message: Text, code: Type.Optional(Type.Unknown()) })),
})

const replies = new SchemaCompiler().compile(reply)

/**
 * A cloud sandbox for each run, through Modal's npm package in a process of a newer Node. Packages become a layer of
 * the image, so the run itself has no network.
 */
export const modal = provider(execute, {
  vendor,
  rank: 80,
  run: async (input, context) => {
    const { sdk } = context.settings
    if (sdk === null)
      throw new Fault('missing', 'Modal is not set up here.', {
        internal: 'install the package modal under Node 22 and set sdk of vendor modal to the path of its entry file',
      })
    const image = imageFor(input, 'language', context)
    const job = jobOf(input, { image, files: await givenFiles(input.input_files, context) }, context)
    context.progress('running the program')
    const result = await context.exec('node22', ['--input-type=module', '-e', MODAL_PROGRAM], {
      isolation: 'external',
      // Tokens and code are sent on standard input: arguments and environment are visible to other users of the
      // machine.
      stdin: Buffer.from(JSON.stringify({ sdk, job })),
      maxOutput: 40 * MIB,
    })
    const { end, error } = readReply(result)
    if (error !== undefined) throw faultOf(error, input.packages.length > 0)
    if (end === undefined) throw new Fault('broken', 'The process for Modal printed nothing.')
    const files = end.files.map(({ name, base64 }) => ({ name, data: Buffer.from(base64, 'base64') }))
    const stopped = ranOut(end.code, end.runMs, input.timeout) ? 'time' : end.code === 137 ? 'memory' : null
    return await answer({ ...end, files, stopped }, input, context)
  },
})

function jobOf(input: CodeInput, { image, files }: { image: string; files: readonly GivenFile[] }, context: Context): ModalJob {
  const program = { name: fileOf(input.language), data: Buffer.from(textOf(input)) }
  return {
    tokenId: context.secret('token_id'),
    tokenSecret: context.secret('token_secret'),
    environment: context.settings.environment,
    app: context.settings.app,
    image,
    layers:
      input.packages.length === 0
        ? []
        : [`RUN python3 -m pip install --no-cache-dir ${input.packages.map((name) => `'${name}'`).join(' ')}`],
    script: cappedScript(input.language, input.timeout),
    seconds: input.timeout,
    files: [program, ...files].map(({ name, data }) => ({ name, base64: Buffer.from(data).toString('base64') })),
    ...OUTPUT,
  }
}

function readReply(result: ExecResult): Static<typeof reply> {
  const broken = (cause?: unknown): Fault =>
    new Fault(result.stopped === null ? 'broken' : 'busy', 'The process for Modal did not end well.', {
      internal: Buffer.from(result.stderr).toString('utf8').slice(-1000),
      cause,
    })
  try {
    const value = foreignJson(result.stdout)
    if (replies.check(value)) return value
  } catch (error) {
    throw broken(error)
  }
  throw broken()
}

function faultOf({ name, message, code }: { name: string; message: string; code?: unknown }, packages: boolean): Fault {
  const internal = { internal: `${name}: ${message}` }
  if (typeof code === 'number' && UNAUTHENTICATED.includes(code))
    return new Fault('credentials', 'Modal refused our credentials.', internal)
  if (code === EXHAUSTED) return new Fault('quota', 'The account at Modal is used up.', internal)
  if (code === 'ERR_MODULE_NOT_FOUND') return new Fault('missing', 'Modal is not set up here.', internal)
  if (packages && /image build/i.test(message))
    return new Fault('invalid', 'The packages could not be installed.', { ...internal, loc: ['packages'] })
  return new Fault(/Timeout/.test(name) ? 'busy' : 'broken', 'Modal failed.', internal)
}
