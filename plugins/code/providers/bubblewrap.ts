import { Fault, provider, type ProviderContext, type SettingsOf } from '../../../core/sdk/index.js'
import { bubblewrap as vendor } from '../../_vendors/bubblewrap.js'
import { execute, type CodeInput } from '../contract.js'
import { givenFiles } from '../input-files.js'
import { callOptions, runOf, runOptions } from '../local.js'
import { archiveOf, INSTALL_DISK_MB, INSTALL_MS, installArgs, PACKAGES_MB, unpackArgs } from '../packages.js'
import { commandOf, DISK_MB, PACKAGES_FILE } from '../program.js'
import { answer } from '../result.js'
import { ENV, warmPython } from '../warm-python.js'

type Context = ProviderContext<SettingsOf<typeof vendor>>

const MIB = 1024 * 1024
/** What a template must have, how that is found out inside the sandbox, and what to install where it is missing. */
const TEMPLATES = {
  'data-science': {
    probe:
      "exec python3 -c \"import importlib.util as u, sys; sys.exit(0 if all(map(u.find_spec, ('numpy', 'pandas', 'matplotlib'))) else 1)\"",
    remedy: 'python3-numpy, python3-pandas and python3-matplotlib',
  },
  'web-dev': { probe: 'command -v node', remedy: 'nodejs' },
  video: { probe: 'command -v ffmpeg', remedy: 'ffmpeg' },
} as const

/** Python, Node and bash of this machine in the core's own sandbox. */
export const bubblewrap = provider(execute, {
  vendor,
  rank: 20,
  run: async (input, context) => {
    await checkTemplate(input, context)
    const files = await givenFiles(input.input_files, context)
    const archive = input.packages.length === 0 ? null : await install(input, context)
    const options = runOptions(input, files)
    const { program, args } = commandOf(input.language)
    context.progress('running the program')
    const result =
      archive === null
        ? await context.exec(
            program,
            args,
            input.language === 'python' ? { ...callOptions(input, files), warm: warmPython } : { ...options, env: ENV },
          )
        : await context.exec('sh', unpackArgs(program, args), {
            ...options,
            env: ENV,
            diskMb: DISK_MB + 2 * PACKAGES_MB,
            files: [...(options.files ?? []), { name: PACKAGES_FILE, data: archive }],
          })
    return await answer(runOf(result, context), input, context)
  },
})

async function checkTemplate({ template, language }: CodeInput, context: Context): Promise<void> {
  if (template === null || template === 'default' || (template === 'web-dev' && language === 'javascript')) return
  const { probe, remedy } = TEMPLATES[template]
  const { code } = await context.exec('sh', ['-c', probe], { timeoutMs: 10_000 })
  if (code !== 0) throw new Fault('missing', `The template ${template} needs ${remedy} on the gateway's machine.`, { loc: ['template'] })
}

/** Installs packages in a sandbox of its own, with network through the guard and without the caller's code. */
async function install({ packages }: CodeInput, context: Context): Promise<Uint8Array> {
  context.progress('installing packages', packages.join(', '))
  const result = await context.exec('sh', installArgs(packages, context.settings.pip_index), {
    network: true,
    timeoutMs: INSTALL_MS,
    diskMb: INSTALL_DISK_MB,
    collect: { maxFiles: 1, maxBytes: PACKAGES_MB * MIB },
  })
  return archiveOf(result)
}
