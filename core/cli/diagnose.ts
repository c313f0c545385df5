import type { Command } from 'commander'
import type { Config } from '../config/index.js'
import { diagnose, type Check, type Diagnosis } from '../diagnosis/document.js'
import { gatewayDiagnosis, type GatewayDiagnosis } from '../diagnosis/gateway.js'
import { knownNames } from '../loader/known-names.js'
import type { Registry } from '../loader/types.js'
import type { Vendor } from '../sdk/index.js'
import { lookAtStore, runChecks } from './checks.js'
import { Failure } from './failure.js'
import { formatDiagnosis } from './format-diagnosis.js'
import { ownChecks } from './own-checks.js'
import { findGateway, type NotReached, type RunningGateway } from './running-gateway.js'
import { print, wantsJson, type Shell } from './shell.js'

/** Checks without which the gateway cannot run at all. */
const VITAL = ['store', 'artifacts', 'clock']

/** Prints what the running gateway says of itself, or where none is reached, what this command finds. Throws a Failure where no gateway can start. */
export async function printDiagnosis(shell: Shell, command: Command, config: Config): Promise<void> {
  const gateway = await findGateway(shell, config)
  if ('ask' in gateway) await besideGateway(shell, command, { config, gateway })
  else await alone(shell, command, { config, gateway })
}

/** What the gateway says, and beside that only what the command itself can see. */
async function besideGateway(shell: Shell, command: Command, { config, gateway }: { config: Config; gateway: RunningGateway }): Promise<void> {
  const [{ found, apartMs }, outside] = await Promise.all([askGateway(gateway), shell.parts.outside(config)])
  const own = ownChecks({ config, root: shell.root, now: Date.now(), apartMs })
  const document: GatewayDiagnosis = { ...found, checks: [...found.checks, ...own, ...outside] }
  const { url, pid } = found.gateway
  await print(shell, command, document, formatDiagnosis(document, `${url}, pid ${pid}, asked by ${gateway.place}`))
}

async function askGateway(gateway: RunningGateway): Promise<{ readonly found: GatewayDiagnosis; readonly apartMs: number }> {
  try {
    const found = await gateway.ask({ method: 'GET', path: '/admin/v1/diagnosis' }, gatewayDiagnosis)
    return { found, apartMs: Date.now() - Date.parse(found.gateway.now) }
  } finally {
    await gateway.close()
  }
}

async function alone(shell: Shell, command: Command, { config, gateway }: { config: Config; gateway: NotReached }): Promise<void> {
  const loaded = await shell.parts.registry(config)
  try {
    const problems = config.problems(knownNames(loaded))
    const errors = problems.filter(({ level }) => level === 'error')
    for (const { level, where, message } of problems) shell.io.err(`${level}: ${where}: ${message}\n`)
    const request = { config, registry: loaded, parts: shell.parts, root: shell.root, now: Date.now() }
    const { check: store, registry, suspensions } = await lookAtStore(request)
    const found = await runChecks({ ...request, registry, store })
    const configuration: Check = {
      name: 'configuration',
      ok: errors.length === 0,
      detail: errors.length === 0 ? 'in order' : `${errors.length} wrong settings; capstan config check lists them`,
    }
    const probes = await shell.parts.probes(probed(registry), config)
    const document: Diagnosis = diagnose(registry, [...found, configuration], { probes, suspensions })
    const bad = document.checks.filter(({ name, ok, fatal }) => !ok && (fatal === true || [...VITAL, 'configuration'].includes(name)))
    if (bad.length === 0 || !wantsJson(command)) await print(shell, command, document, formatDiagnosis(document, `none was asked: ${gateway.reason}`))
    if (bad.length > 0) throw new Failure(`the gateway cannot start: ${bad.map(({ name }) => name).join(', ')}`, document)
  } finally {
    await loaded.dispose()
  }
}

/** Vendors that would be asked and can be probed. */
function probed({ ports }: Registry): Vendor[] {
  const live = [...ports.values()].flatMap(({ providers }) => providers.filter(({ state }) => state === 'live'))
  return [...new Set(live.map(({ vendor }) => vendor))].filter(({ probe }) => probe !== undefined)
}
