import type { Command } from 'commander'
import type { Config } from '../../../core/config/types.js'
import { gatewayDiagnosis, type GatewayDiagnosis } from '../../../core/diagnosis/types.js'
import { formatDiagnosis, formOf } from './format-diagnosis.js'
import { ownChecks } from './own-checks.js'
import { findGateway, type RunningGateway } from './running-gateway.js'
import { print, type Shell } from './shell.js'

/** Prints the diagnosis of the running gateway, or the findings of this command if none is reached. Throws a Failure if no gateway can start. */
export async function printDiagnosis(shell: Shell, command: Command, config: Config): Promise<void> {
  const gateway = await findGateway(shell, config)
  if ('request' in gateway) await besideGateway(shell, command, { config, gateway })
  else {
    const { diagnoseAlone } = await import('./diagnose-alone.js')
    await diagnoseAlone(shell, command, { config, reason: gateway.reason })
  }
}

/** The gateway's diagnosis, with the checks that only this command can make. */
async function besideGateway(
  shell: Shell,
  command: Command,
  { config, gateway }: { config: Config; gateway: RunningGateway },
): Promise<void> {
  const [{ found, apartMs }, outside] = await Promise.all([readDiagnosis(gateway), shell.parts.outside(config)])
  const own = ownChecks({ config, root: shell.root, now: Date.now(), apartMs })
  const document: GatewayDiagnosis = { ...found, checks: [...found.checks, ...own, ...outside] }
  const { url, pid } = found.gateway
  const form = { gateway: `${url}, pid ${pid}, reached at ${gateway.place}`, ...formOf(shell, command) }
  await print(shell, command, document, formatDiagnosis(document, form))
}

async function readDiagnosis(gateway: RunningGateway): Promise<{ readonly found: GatewayDiagnosis; readonly apartMs: number }> {
  try {
    const found = await gateway.request({ method: 'GET', path: '/admin/v1/diagnosis' }, gatewayDiagnosis)
    return { found, apartMs: Date.now() - Date.parse(found.gateway.now) }
  } finally {
    await gateway.close()
  }
}
