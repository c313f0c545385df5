import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { daytona as vendor } from '../../_vendors/daytona.js'
import { execute, type CodeInput, type CodeOutput } from '../contract.js'
import { createSandbox, DaytonaSandbox } from '../daytona-sandbox.js'
import { imageFor, settingOf } from '../image.js'
import { givenFiles, type GivenFile } from '../input-files.js'
import { refusedPackages } from '../packages.js'
import { fileOf, textOf } from '../program.js'
import { cappedScript, cleanUp, pipLine, ranOut } from '../remote-vendor.js'
import { answer, OUTPUT, STREAM_BYTES } from '../result.js'

/** Reserved names in the work folder: the script around the program, and its output files. Hidden, which callers' names cannot be. */
const SCRIPT = '.capstan-run'
const STDOUT = '.capstan-out'
const STDERR = '.capstan-err'
const INSTALL_SECONDS = 60
/** Exit code of `timeout` after it stopped a command. */
const STOPPED = 124

/** A cloud sandbox for each run. It has internet access only when packages are installed, and then also during the run. */
export const daytona = provider(execute, {
  vendor,
  rank: 70,
  run: async (input, context) => {
    const plain = settingOf(input, 'snapshot') === 'snapshot'
    const snapshot = plain ? context.settings.snapshot : imageFor(input, 'snapshot', context)
    const files = await givenFiles(input.input_files, context)
    const begin = performance.now()
    context.progress('starting a sandbox')
    const created = await createSandbox(
      { snapshot, internet: input.packages.length > 0, idleMinutes: Math.ceil(input.timeout / 60) + 2 },
      context,
    )
    const sandbox = new DaytonaSandbox(context, created)
    try {
      await sandbox.started()
      return await runOn(sandbox, { input, files, bootMs: performance.now() - begin }, context)
    } finally {
      await cleanUp(context, 'a Daytona sandbox', () => sandbox.remove())
    }
  },
})

interface Job {
  readonly input: CodeInput
  readonly files: readonly GivenFile[]
  readonly bootMs: number
}

async function runOn(sandbox: DaytonaSandbox, { input, files, bootMs }: Job, context: ProviderContext): Promise<CodeOutput> {
  await sandbox.prepare()
  await sandbox.write(fileOf(input.language), Buffer.from(textOf(input)))
  await sandbox.write(SCRIPT, Buffer.from(`{\n${cappedScript(input.language, input.timeout)}\n} >${STDOUT} 2>${STDERR}\n`))
  for (const { name, data } of files) await sandbox.write(name, data)
  if (input.packages.length > 0) {
    context.progress('installing packages', input.packages.join(', '))
    const { exitCode, result } = await inTime(sandbox.execute(pipLine(input.packages), { seconds: INSTALL_SECONDS, inside: true }))
    if (exitCode !== 0) throw refusedPackages(result)
  }
  const before = new Map((await sandbox.list()).map(({ name, stamp }) => [name, stamp]))
  context.progress('running the program')
  const begin = performance.now()
  const { exitCode } = await inTime(sandbox.execute(`bash ${SCRIPT}`, { seconds: input.timeout + 5, inside: true }))
  const runMs = performance.now() - begin
  const [stdout, stderr] = [await sandbox.read(STDOUT, 2 * STREAM_BYTES), await sandbox.read(STDERR, 2 * STREAM_BYTES)]
  const made = (await sandbox.list()).filter(({ name, stamp }) => before.get(name) !== stamp && !name.startsWith('.'))
  const outputs: GivenFile[] = []
  let left = OUTPUT.maxBytes
  for (const { name, size } of made.slice(0, OUTPUT.maxFiles)) {
    if (size > left) continue
    left -= size
    outputs.push({ name, data: await sandbox.read(name, size + 1024) })
  }
  const stopped = ranOut(exitCode, runMs, input.timeout) ? 'time' : null
  return await answer(
    { stdout, stderr, code: exitCode, stopped, memoryMb: null, runMs, bootMs, files: outputs, filesLeft: made.length - outputs.length },
    input,
    context,
  )
}

/** The end of a command; one that Daytona stopped at its timeout (408) gets the exit code of `timeout`. */
async function inTime(command: ReturnType<DaytonaSandbox['execute']>): ReturnType<DaytonaSandbox['execute']> {
  try {
    return await command
  } catch (error) {
    if (!Fault.is(error) || error.status !== 408) throw error
    return { exitCode: STOPPED, result: 'the time for the command is over' }
  }
}
