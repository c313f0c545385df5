import type { Command } from 'commander'
import { masked } from '../../../core/config/mask.js'
import { ConfigError } from '../../../core/problems/errors.js'
import { isWebAddress } from '../../../core/config/forms.js'
import { UsageError } from './failure.js'
import { configReader, type Shell } from './shell.js'

/** Default address of the gateway. */
export const DEFAULT_URL = 'http://127.0.0.1:8420'

/** CAPSTAN_URL as it was set. Throws a UsageError unless it is an http or https URL. */
export function webAddress(text: string): string {
  if (!isWebAddress(text))
    throw new UsageError(`CAPSTAN_URL must be an address such as ${DEFAULT_URL}, not ${JSON.stringify(masked(text))}`)
  return text
}

/** The gateway to call: CAPSTAN_URL, else the address on this machine from the variables and the configuration file. */
export async function gatewayUrl(shell: Shell, command: Command): Promise<string> {
  const named = shell.io.env['CAPSTAN_URL']
  if (named !== undefined && named !== '') return webAddress(named)
  try {
    const { host, port } = (await configReader(shell, command))().settings.server
    const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
    return port === 0 ? DEFAULT_URL : `http://${near.includes(':') ? `[${near}]` : near}:${port}`
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // A caller need not have a complete configuration of a gateway.
    const port = shell.io.env['CAPSTAN_PORT'] ?? ''
    return /^[1-9]\d{0,4}$/.test(port) ? `http://127.0.0.1:${port}` : DEFAULT_URL
  }
}
