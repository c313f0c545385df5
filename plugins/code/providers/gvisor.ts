import { Fault, provider } from '../../../core/sdk/index.js'
import { gvisor as vendor } from '../../_vendors/gvisor.js'
import { execute } from '../contract.js'
import { givenFiles } from '../input-files.js'
import { runOf, runOptions, toolFailed } from '../local.js'
import { platformOf, runsc } from '../platform.js'
import { answer } from '../result.js'

/**
 * Python, Node and bash on this machine on gVisor's kernel (`runsc run`, an OCI bundle). Inputs with packages go to
 * the next vendor: they would need network.
 */
export const gvisor = provider(execute, {
  vendor,
  rank: 10,
  serves: ({ template, packages }) => packages.length === 0 && (template === null || template === 'default'),
  run: async (input, context) => {
    const files = await givenFiles(input.input_files, context)
    const platform = await platformOf(context)
    context.progress('running the program')
    const result = await runsc(input.language, platform, context, runOptions(input, files))
    if (toolFailed(result)) {
      throw new Fault('broken', 'gVisor could not start the program.', {
        internal: Buffer.from(result.stderr).toString('utf8').slice(-1000),
      })
    }
    return await answer(runOf(result, context), input, context)
  },
})
