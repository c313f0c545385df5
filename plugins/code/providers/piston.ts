import { constants } from 'node:os'
import { Fault, provider, Type, type Static } from '../../../core/sdk/index.js'
import { piston as vendor } from '../../_vendors/piston.js'
import { execute } from '../contract.js'
import { givenFiles } from '../input-files.js'
import { fileOf, textOf } from '../program.js'
import { answer, type Run } from '../result.js'

const LANGUAGES = { python: 'python', javascript: 'javascript', shell: 'bash' } as const
const Text = Type.String()
const stage = Type.Object({
  stdout: Text,
  stderr: Text,
  code: Type.Union([Type.Integer(), Type.Null()]),
  signal: Type.Union([Text, Type.Null()]),
  status: Type.Optional(Type.Union([Text, Type.Null()])),
  wall_time: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
})
const reply = Type.Object({ run: stage, compile: Type.Optional(stage) })

/** An own Piston server: files are sent, none are returned, no packages. */
export const piston = provider(execute, {
  vendor,
  rank: 50,
  serves: ({ packages, template }) => packages.length === 0 && (template === null || template === 'default'),
  run: async (input, context) => {
    const files = await givenFiles(input.input_files, context)
    const seconds = Math.min(input.timeout, context.settings.max_seconds)
    const memoryMb = context.settings.memory_mb
    const begin = performance.now()
    const { run, compile } = await context.api.json(
      {
        method: 'POST',
        path: '/api/v2/execute',
        json: {
          language: LANGUAGES[input.language],
          version: '*',
          files: [
            { name: fileOf(input.language), content: textOf(input), encoding: 'utf8' },
            ...files.map(({ name, data }) => ({ name, content: Buffer.from(data).toString('base64'), encoding: 'base64' })),
          ],
          stdin: '',
          args: [],
          run_timeout: seconds * 1000,
          run_cpu_time: seconds * 1000,
          run_memory_limit: memoryMb * 1024 * 1024,
        },
      },
      reply,
    )
    const last = compile !== undefined && compile.code !== 0 ? compile : run
    if (last.status === 'XX') throw new Fault('broken', 'The Piston server could not run the program.')
    if (last.status === 'TO' && seconds < input.timeout)
      throw new Fault('missing', `The Piston server allows only ${seconds} s.`, {
        internal: 'raise PISTON_RUN_TIMEOUT and max_seconds of vendor piston',
      })
    context.note('Piston returns no files of a program.')
    return await answer(runOf(last, performance.now() - begin, memoryMb), input, context)
  },
})

function runOf({ stdout, stderr, code, signal, status, wall_time }: Static<typeof stage>, totalMs: number, memoryMb: number): Run {
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? constants.signals.SIGKILL
  const killed = code === null && signal === 'SIGKILL'
  // The server also kills programs that print too much.
  const flood = status === 'OL' || status === 'EL'
  const runMs = wall_time ?? totalMs
  return {
    stdout,
    stderr,
    stdoutCut: status === 'OL',
    stderrCut: status === 'EL',
    code: code ?? 128 + number,
    stopped: status === 'TO' ? 'time' : killed && !flood ? 'memory' : null,
    memoryMb,
    runMs,
    bootMs: totalMs - runMs,
  }
}
