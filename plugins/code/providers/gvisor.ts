import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Fault, provider } from '../../../core/sdk/index.js'
import { gvisor as vendor } from '../../_vendors/gvisor.js'
import { bundleConfig, isMountPoint } from '../bundle.js'
import { execute } from '../contract.js'
import { givenFiles } from '../input-files.js'
import { runOf, runOptions } from '../local.js'
import { answer } from '../result.js'
import { textSetting } from '../setting.js'

const CONFIG = 'config.json'
/** What runsc answers for a fault of its own. */
const OWN_FAULT = 128

/** Python, Node and bash of this machine on gVisor's kernel (`runsc run`, an OCI bundle). Packages are left to the next vendor: they would need network. */
export const gvisor = provider(execute, {
  vendor,
  rank: 10,
  serves: ({ template, packages, input_files }) =>
    packages.length === 0 &&
    (template === null || template === 'default') &&
    !input_files.some(({ name }) => name === CONFIG || isMountPoint(name)),
  run: async (input, context) => {
    const files = await givenFiles(input.input_files, context)
    const options = runOptions(input, files)
    const root = process.geteuid?.() === 0
    const config = bundleConfig(input.language, { root, exists: existsSync })
    const state = textSetting(context.settings, 'state')
    const flags = [
      '--network=none',
      '--overlay2=none',
      `--platform=${textSetting(context.settings, 'platform') ?? 'systrap'}`,
      ...(state === null ? [] : [`--root=${state}`]),
      ...(root ? [] : ['--rootless', '--ignore-cgroups']),
    ]
    context.progress('running the program')
    const result = await context.exec('runsc', [...flags, 'run', `capstan-${randomUUID()}`], {
      ...options,
      isolation: 'own',
      files: [...(options.files ?? []), { name: CONFIG, data: Buffer.from(JSON.stringify(config)) }],
    })
    if (result.code === OWN_FAULT && result.stopped === null) {
      throw new Fault('broken', 'gVisor could not start the program.', {
        internal: Buffer.from(result.stderr).toString('utf8').slice(-1000),
      })
    }
    const run = runOf(result, context)
    return await answer({ ...run, files: result.files.filter(({ name }) => name !== CONFIG) }, input, context)
  },
})
