import { join } from 'node:path'
import { systemClock } from '../../core/runtime/clock.js'
import { localMachine, runConformance, type Conformance } from '../../scripts/capstan/kit/conformance/index.js'
import { bundledFolder } from '../../core/loader/load.js'
import type { Registry } from '../../core/loader/types.js'
import { packageRoot } from '../../core/runtime/root.js'
import { load } from '../support/loader.js'
import { skipped } from '../support/needs.js'

const loaded = await registryOrFault()
if (loaded instanceof Error) {
  it('every bundled plugin loads', () => {
    throw loaded
  })
} else await generate(loaded)

async function registryOrFault(): Promise<Registry | Error> {
  try {
    return await load({ firstParty: bundledFolder(), sourceFolder: join(packageRoot(), 'plugins') })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function generate(registry: Registry): Promise<void> {
  const machine = await localMachine({ clock: systemClock, programs: () => undefined })
  const suite: Conformance = await runConformance(registry, machine.options)
  describe('conformance', () => {
    after(async () => {
      await suite.close()
      await machine.close()
      await registry.dispose()
    })
    for (const plugin of new Set(suite.cases.map((each) => each.plugin))) {
      describe(plugin, () => {
        for (const each of suite.cases.filter((one) => one.plugin === plugin)) {
          if (each.skip === null) it(each.name, () => each.run()).timeout(180_000)
          else skipped(each.name, each.skip)
        }
      })
    }
  })
}
