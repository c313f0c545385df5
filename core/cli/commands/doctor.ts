import type { Command } from 'commander'
import colors from 'picocolors'
import { diagnose, type Check, type Diagnosis, type ProviderDiagnosis } from '../diagnosis.js'
import { examples } from '../example.js'
import { Failure } from '../failure.js'
import { knownNames } from '../../loader/known-names.js'
import type { Registry } from '../../loader/types.js'
import type { Vendor } from '../../sdk/index.js'
import { print, readConfig, wantsJson, type Shell } from '../shell.js'

/** Checks without which the gateway cannot run at all. */
const VITAL = ['store', 'artifacts', 'clock']

/** `capstan doctor`: what answers now, and what would make the rest answer. */
export function addDoctor(program: Command, shell: Shell): void {
  const command = program.command('doctor').description('what answers now, what is missing for the rest, and how to get it')
  examples(command, 'capstan doctor')
  command.action(async () => {
    const config = await readConfig(shell, command)
    const registry = await shell.parts.registry(config)
    try {
      const problems = config.problems(knownNames(registry))
      const errors = problems.filter(({ level }) => level === 'error')
      for (const { level, where, message } of problems) shell.io.err(`${level}: ${where}: ${message}\n`)
      const { runChecks } = await import('../checks.js')
      const found = await runChecks({ config, registry, parts: shell.parts, root: shell.root, now: Date.now() })
      const diagnosis = diagnose(registry, found, await shell.parts.probes(probed(registry), config))
      const checks: Check[] = [
        ...diagnosis.checks,
        {
          name: 'configuration',
          ok: errors.length === 0,
          detail: errors.length === 0 ? 'in order' : `${errors.length} wrong settings; capstan config check lists them`,
        },
      ]
      const document: Diagnosis = { ...diagnosis, checks }
      const bad = checks.filter(({ name, ok, fatal }) => !ok && (fatal === true || [...VITAL, 'configuration'].includes(name)))
      if (bad.length === 0 || !wantsJson(command)) await print(shell, command, document, forPeople(document))
      if (bad.length > 0) throw new Failure(`the gateway cannot start: ${bad.map(({ name }) => name).join(', ')}`, document)
    } finally {
      await registry.dispose()
    }
  })
}

/** Vendors that would be asked and can be probed. */
function probed({ ports }: Registry): Vendor[] {
  const live = [...ports.values()].flatMap(({ providers }) => providers.filter(({ state }) => state === 'live'))
  return [...new Set(live.map(({ vendor }) => vendor))].filter(({ probe }) => probe !== undefined)
}

function forPeople({ live, total, capabilities, checks }: Diagnosis): string {
  const lines: string[] = []
  for (const { id, answers, ports } of capabilities) {
    lines.push(`${answers ? colors.green('●') : colors.red('○')} ${colors.bold(id)}${answers ? '' : '  does not answer'}`)
    for (const port of ports) {
      if (port.id !== id) lines.push(`    ${port.id}`)
      for (const provider of port.providers) lines.push(`      ${providerLine(provider)}`)
      if (port.providers.length === 0) lines.push('      no provider')
    }
  }
  lines.push('', colors.bold('checks'))
  for (const { name, ok, detail } of checks) lines.push(`${ok ? colors.green('●') : colors.yellow('○')} ${name.padEnd(14)}${detail}`)
  lines.push('', `${live} of ${total} capabilities answer now`)
  return lines.join('\n')
}

function providerLine({ vendor, kind, state, reason }: ProviderDiagnosis): string {
  const paint = { live: colors.green, dormant: colors.dim, broken: colors.red }[state]
  return `${vendor.padEnd(22)}${kind.padEnd(9)}${paint(state)}${reason === null ? '' : `: ${reason}`}`
}
