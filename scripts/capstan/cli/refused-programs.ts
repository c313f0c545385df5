import type { Config } from '../../../core/config/types.js'
import { CALLER_PROGRAMS } from '../../../core/diagnosis/registry-checks.js'
import { gatewayDiagnosis } from '../../../core/diagnosis/types.js'
import type { Shell } from './shell.js'

/**
 * Warns on standard error when the running gateway now refuses programs of callers, because several accounts are enabled and nothing limits
 * the memory of programs. Without a running gateway this is unknown; the next one logs it at its start.
 */
export async function warnOfRefusedPrograms(shell: Shell, config: Config): Promise<void> {
  const { findGateway } = await import('./running-gateway.js')
  const gateway = await findGateway(shell, config)
  if (!('request' in gateway)) return
  try {
    const { checks } = await gateway.request({ method: 'GET', path: '/admin/v1/diagnosis' }, gatewayDiagnosis)
    const failed = checks.find(({ name, ok }) => name === CALLER_PROGRAMS && !ok)
    if (failed !== undefined) shell.io.err(`warning: programs of callers are now refused for every account: ${failed.detail}\n`)
  } finally {
    await gateway.close()
  }
}
