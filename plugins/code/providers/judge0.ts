import { Fault, poll, provider, type ProviderContext, type SettingsOf, type Static, Type } from '../../../core/sdk/index.js'
import { judge0 as vendor } from '../../_vendors/judge0.js'
import { execute, type CodeInput } from '../contract.js'
import { givenFiles } from '../input-files.js'
import { textOf } from '../program.js'
import { answer, type Run } from '../result.js'
import { zipOf } from '../zip.js'

type Context = ProviderContext<SettingsOf<typeof vendor>>

const QUEUED = [1, 2]
const TIMED_OUT = 5
const COMPILE_FAULT = 6
const OWN_FAULTS = [13, 14]
const SIGKILL = 9
const FIRST_WAIT_MS = 150
const LONGEST_WAIT_MS = 2000
const nullable = (type: 'string' | 'integer' | 'number') => Type.Optional(Type.Unsafe<string | null>({ type: [type, 'null'] }))
const nullableNumber = Type.Optional(Type.Union([Type.Number(), Type.Null()]))

const created = Type.Object({ token: Type.String({ minLength: 1 }) })
const submission = Type.Object({
  stdout: nullable('string'),
  stderr: nullable('string'),
  compile_output: nullable('string'),
  message: nullable('string'),
  wall_time: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  exit_code: nullableNumber,
  exit_signal: nullableNumber,
  memory: nullableNumber,
  status: Type.Object({ id: Type.Integer() }),
})
const FIELDS = 'stdout,stderr,exit_code,exit_signal,status,time,wall_time,memory,message,compile_output'

/** An own Judge0 server: files are sent as a ZIP archive, none are returned, no packages. */
export const judge0 = provider(execute, {
  vendor,
  rank: 40,
  serves: ({ packages, template }) => packages.length === 0 && (template === null || template === 'default'),
  run: async (input, context) => {
    const files = await givenFiles(input.input_files, context)
    const limit = limitsOf(input, context)
    const begin = performance.now()
    const { token } = await context.api.json(
      {
        method: 'POST',
        path: '/submissions',
        query: { base64_encoded: true, wait: false },
        json: {
          source_code: Buffer.from(textOf(input)).toString('base64'),
          language_id: context.settings[input.language],
          wall_time_limit: limit.wall,
          cpu_time_limit: limit.cpu,
          memory_limit: limit.memoryKb,
          enable_network: false,
          ...(files.length === 0 ? {} : { additional_files: zipOf(files).toString('base64') }),
        },
      },
      created,
    )
    const done = await finished(token, context)
    if (OWN_FAULTS.includes(done.status.id))
      throw new Fault('broken', 'The Judge0 server could not run the program.', { internal: done.message ?? '' })
    if (done.status.id === TIMED_OUT && Math.min(limit.wall, limit.cpu) < input.timeout) {
      throw new Fault('missing', `The Judge0 server allows only ${limit.wall} s, ${limit.cpu} s of them computing.`, {
        internal: 'raise MAX_WALL_TIME_LIMIT and MAX_CPU_TIME_LIMIT, then max_wall_seconds and max_cpu_seconds of vendor judge0',
      })
    }
    context.note('Judge0 returns no files of a program.')
    return await answer(runOf(done, performance.now() - begin, limit.memoryKb), input, context)
  },
})

function limitsOf({ timeout }: CodeInput, { settings }: Context): { wall: number; cpu: number; memoryKb: number } {
  return {
    wall: Math.min(timeout, settings.max_wall_seconds),
    cpu: Math.min(timeout, settings.max_cpu_seconds),
    memoryKb: settings.max_memory_kb,
  }
}

async function finished(token: string, context: Context): Promise<Static<typeof submission>> {
  const path = `/submissions/${encodeURIComponent(token)}`
  return await poll(context, {
    ask: (own) => own.api.json({ path, query: { base64_encoded: true, fields: FIELDS } }, submission),
    read: (state) =>
      QUEUED.includes(state.status.id) ? { state: 'running', step: 'waiting for the program' } : { state: 'done', result: state },
    firstMs: FIRST_WAIT_MS,
    mostMs: LONGEST_WAIT_MS,
  })
}

function runOf(done: Static<typeof submission>, totalMs: number, memoryKb: number): Run {
  const code =
    done.exit_signal === null || done.exit_signal === undefined
      ? (done.exit_code ?? (done.status.id === 3 ? 0 : 1))
      : 128 + done.exit_signal
  const compile = done.status.id === COMPILE_FAULT ? decoded(done.compile_output) : Buffer.alloc(0)
  const runMs = Number(done.wall_time ?? 0) * 1000
  const full = done.exit_signal === SIGKILL || (done.memory ?? 0) >= memoryKb
  return {
    stdout: decoded(done.stdout),
    stderr: Buffer.concat([decoded(done.stderr), compile]),
    code,
    stopped: done.status.id === TIMED_OUT ? 'time' : full && code !== 0 ? 'memory' : null,
    memoryMb: Math.floor(memoryKb / 1024),
    runMs,
    bootMs: totalMs - runMs,
  }
}

function decoded(text: string | null | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64')
}
