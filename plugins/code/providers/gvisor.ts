import { randomUUID } from 'node:crypto'
import { Fault, provider } from '../../../core/sdk/index.js'
import { gvisor as vendor } from '../../_vendors/gvisor.js'
import { bundleFiles } from '../bundle.js'
import { execute } from '../contract.js'
import { givenFiles } from '../input-files.js'
import { runOf, runOptions, toolFailed } from '../local.js'
import { commandOf } from '../program.js'
import { answer } from '../result.js'

/** Python, Node and bash of this machine on gVisor's kernel (`runsc run`, an OCI bundle). Packages are left to the next vendor: they would need network. */
export const gvisor = provider(execute, {
  vendor,
  rank: 10,
  serves: ({ template, packages }) => packages.length === 0 && (template === null || template === 'default'),
  run: async (input, context) => {
    const files = await givenFiles(input.input_files, context)
    const root = process.geteuid?.() === 0
    const { state, platform } = context.settings
    const flags = [
      '--network=none',
      '--overlay2=none',
      `--platform=${platform}`,
      ...(state === null ? [] : [`--root=${state}`]),
      ...(root ? [] : ['--rootless', '--ignore-cgroups']),
    ]
    context.progress('running the program')
    const result = await context.exec('runsc', [...flags, 'run', `capstan-${randomUUID()}`], {
      ...runOptions(input, files),
      isolation: 'external',
      toolFiles: (view) => bundleFiles(input.language, { root, view: view(commandOf(input.language).program) }),
    })
    if (toolFailed(result)) {
      throw new Fault('broken', 'gVisor could not start the program.', {
        internal: Buffer.from(result.stderr).toString('utf8').slice(-1000),
      })
    }
    return await answer(runOf(result, context), input, context)
  },
})
