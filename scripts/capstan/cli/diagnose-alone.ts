import type { Command } from 'commander'
import type { Config } from '../../../core/config/types.js'
import { type Check, diagnose, type Diagnosis } from '../../../core/diagnosis/types.js'
import { knownNames } from '../../../core/loader/registry.js'
import type { Registry } from '../../../core/loader/types.js'
import type { Vendor } from '../../../core/sdk/index.js'
import { checkStore, runChecks } from './checks.js'
import { Failure } from './failure.js'
import { formatDiagnosis, formOf } from './format-diagnosis.js'
import { print, wantsJson, type Shell } from './shell.js'

/** Checks that must pass for a gateway to start. */
const VITAL = ['store', 'artifacts', 'clock']

/** Prints the findings of this command alone. Throws a Failure if no gateway can start. */
export async function diagnoseAlone(
  shell: Shell,
  command: Command,
  { config, reason }: { readonly config: Config; readonly reason: string },
): Promise<void> {
  const loaded = await shell.parts.registry(config)
  try {
    const problems = config.problems(knownNames(loaded))
    const errors = problems.filter(({ level }) => level === 'error')
    for (const { level, where, message } of problems) shell.io.err(`${level}: ${where}: ${message}\n`)
    const request = { config, registry: loaded, parts: shell.parts, root: shell.root, now: Date.now() }
    const { check: store, registry, suspensions } = await checkStore(request)
    const found = await runChecks({ ...request, registry, store })
    const configuration: Check = {
      name: 'configuration',
      ok: errors.length === 0,
      detail: errors.length === 0 ? 'in order' : `${errors.length} wrong settings; list them with capstan config check`,
    }
    const probes = await shell.parts.probes(probed(registry), config)
    const document: Diagnosis = diagnose(registry, [...found, configuration], { probes, suspensions })
    const bad = document.checks.filter(({ name, ok, fatal }) => !ok && (fatal === true || [...VITAL, 'configuration'].includes(name)))
    const form = { gateway: `not reached: ${reason}`, ...formOf(shell, command) }
    if (bad.length === 0 || !wantsJson(command)) await print(shell, command, document, formatDiagnosis(document, form))
    if (bad.length > 0)
      throw new Failure(`the gateway cannot start:${bad.map(({ name, detail }) => `\n  ${name}: ${detail}`).join('')}`, document)
  } finally {
    await loaded.dispose()
  }
}

/** Vendors that would be used and have a probe. */
function probed({ ports }: Registry): Vendor[] {
  const live = [...ports.values()].flatMap(({ providers }) => providers.filter(({ state }) => state === 'live'))
  return [...new Set(live.map(({ vendor }) => vendor))].filter(({ probe }) => probe !== undefined)
}
