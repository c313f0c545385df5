import { provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { e2b as vendor } from '../../_vendors/e2b.js'
import { execute, type CodeInput, type CodeOutput } from '../contract.js'
import { E2bSandbox, type Entry } from '../e2b-sandbox.js'
import { imageFor } from '../image.js'
import { givenFiles, type GivenFile } from '../input-files.js'
import { refusedPackages } from '../packages.js'
import { fileOf, textOf } from '../program.js'
import { cappedScript, cleanUp, pipLine, ranOut } from '../remote-vendor.js'
import { answer, OUTPUT } from '../result.js'

/** Seconds a sandbox lives beyond the program's own time: upload, packages and download. */
const LIFE = 60
const LIFE_WITH_PACKAGES = 120

const created = Type.Object({
  sandboxID: Type.String({ minLength: 1 }),
  envdAccessToken: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  domain: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

/** A cloud sandbox for each run. It has internet access only when packages are installed, and then also during the run. */
export const e2b = provider(execute, {
  vendor,
  rank: 60,
  run: async (input, context) => {
    const templateID = imageFor(input, 'template', context)
    const files = await givenFiles(input.input_files, context)
    const packages = input.packages.length > 0
    const control = { headers: { 'x-api-key': context.secret('api_key') } }
    const begin = performance.now()
    context.progress('starting a sandbox')
    const { sandboxID, envdAccessToken, domain } = await context.api.json(
      {
        ...control,
        method: 'POST',
        path: '/sandboxes',
        json: {
          templateID,
          timeout: input.timeout + (packages ? LIFE_WITH_PACKAGES : LIFE),
          secure: true,
          allow_internet_access: packages,
        },
      },
      created,
    )
    try {
      const bootMs = performance.now() - begin
      const sandbox = new E2bSandbox(context, { id: sandboxID, token: envdAccessToken ?? null, domain: domain ?? null })
      return await runOn(sandbox, { input, files, bootMs }, context)
    } finally {
      await cleanUp(context, 'an E2B sandbox', () =>
        context.api.text({ ...control, method: 'DELETE', path: `/sandboxes/${encodeURIComponent(sandboxID)}` }),
      )
    }
  },
})

interface Job {
  readonly input: CodeInput
  readonly files: readonly GivenFile[]
  readonly bootMs: number
}

async function runOn(sandbox: E2bSandbox, { input, files, bootMs }: Job, context: ProviderContext): Promise<CodeOutput> {
  await sandbox.write(fileOf(input.language), Buffer.from(textOf(input)))
  for (const { name, data } of files) await sandbox.write(name, data)
  if (input.packages.length > 0) {
    context.progress('installing packages', input.packages.join(', '))
    const installed = await sandbox.run(pipLine(input.packages))
    if (installed.code !== 0) throw refusedPackages(installed.stderr.toString('utf8'))
  }
  const before = await sandbox.list()
  context.progress('running the program')
  const begin = performance.now()
  const { code, stdout, stderr } = await sandbox.run(cappedScript(input.language, input.timeout))
  const runMs = performance.now() - begin
  const made = changed(before, await sandbox.list())
  const taken = made.slice(0, OUTPUT.maxFiles)
  const outputs: GivenFile[] = []
  let left = OUTPUT.maxBytes
  for (const { name, size } of taken) {
    if (size > left) continue
    left -= size
    outputs.push({ name, data: await sandbox.read(name, size + 1024) })
  }
  const stopped = ranOut(code, runMs, input.timeout) ? 'time' : null
  return await answer(
    { stdout, stderr, code, stopped, memoryMb: null, runMs, bootMs, files: outputs, filesLeft: made.length - outputs.length },
    input,
    context,
  )
}

function changed(before: readonly Entry[], after: readonly Entry[]): Entry[] {
  const known = new Map(before.map(({ name, stamp }) => [name, stamp]))
  return after.filter(({ name, stamp }) => known.get(name) !== stamp && !name.startsWith('.'))
}
