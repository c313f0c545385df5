import { Fault, provider } from '../../../../../../core/sdk/index.js'
import { barometer } from '../../_vendors/barometer.js'
import { observe } from '../contract.js'

export const read = provider(observe, {
  vendor: barometer,
  run: async ({ place }, context) => {
    const { code, stdout } = await context.exec('barometer', ['--place', place])
    if (code === 3) return null
    if (code !== 0) throw new Fault('broken', 'The barometer could not be read.')
    return { summary: `${new TextDecoder().decode(stdout).trim()} ${String(context.settings.unit)}`, degrees: null }
  },
})
