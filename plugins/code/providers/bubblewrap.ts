import { provider, type ProviderContext, type SettingsOf } from '../../../core/sdk/index.js'
import { bubblewrap as vendor } from '../../_vendors/bubblewrap.js'
import { execute, type CodeInput } from '../contract.js'
import { givenFiles } from '../input-files.js'
import { callOptions, runOf, runOptions } from '../local.js'
import { archiveOf, INSTALL_DISK_MB, INSTALL_MS, installArgs, PACKAGES_MB, unpackArgs } from '../packages.js'
import { commandOf, DISK_MB, PACKAGES_ENV, PACKAGES_FILE } from '../program.js'
import { answer } from '../result.js'
import { printedLines } from '../printed-lines.js'
import { checkTemplate, NODE_ENV } from '../templates.js'
import { ENV, warmPython } from '../warm-python.js'

type Context = ProviderContext<SettingsOf<typeof vendor>>

const MIB = 1024 * 1024
/** Python, Node and bash on this machine in the core's own sandbox. */
export const bubblewrap = provider(execute, {
  vendor,
  rank: 20,
  run: async (input, context) => {
    await checkTemplate(input, context)
    const files = await givenFiles(input.input_files, context)
    const archive = input.packages.length === 0 ? null : await install(input, context)
    const onLine = printedLines(context)
    const options = { ...runOptions(input, files), onLine }
    const { program, args } = commandOf(input.language)
    context.progress('running the program')
    const isWarm = archive === null && input.language === 'python'
    const result =
      archive === null
        ? await context.exec(
            program,
            isWarm ? warmPython.args : args,
            isWarm
              ? { ...callOptions(input, files), onLine, warm: warmPython }
              : { ...options, env: input.template === 'web-dev' ? { ...ENV, ...NODE_ENV } : ENV },
          )
        : await context.exec('sh', unpackArgs(program, args), {
            ...options,
            env: PACKAGES_ENV,
            diskMb: DISK_MB + 2 * PACKAGES_MB,
            files: [...(options.files ?? []), { name: PACKAGES_FILE, data: archive }],
          })
    return await answer(runOf(result, context), input, context)
  },
})

/** Installs packages in a separate sandbox, with network through the guard and without the caller's code. */
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
