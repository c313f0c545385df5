import type { Command } from 'commander'
import { capabilityPage, priceRange } from '../capability-page.js'
import { capabilitiesOf, findCapability, listedCapabilities, liveProvidersOf, type ListedCapability } from '../catalogue.js'
import { calledAs, examples } from '../example.js'
import { DEFAULT_URL, gatewayUrl } from '../gateway-url.js'
import { print, printList, readConfig, type Shell } from '../shell.js'

/** `capstan tools [CAPABILITY]`: the capabilities, or how to call one of them. */
export function addTools(program: Command, shell: Shell): void {
  const command = program
    .command('tools')
    .argument('[capability]', 'id of a capability: show its parameters, price, providers and an example, as run CAPABILITY --help does')
    .description(
      `the capabilities of the gateway at CAPSTAN_URL (default: the port in CAPSTAN_PORT or capstan.yml of this machine, ${DEFAULT_URL}), or of this installation if none answers; needs no key`,
    )
  examples(command, 'capstan tools', 'capstan tools search', 'capstan tools --json')
  command.action(async (word: string | undefined) => {
    const { list, state } = await listed(shell, command)
    if (word === undefined) {
      const headings = ['capability', 'what it does', 'credits', 'state']
      const rows = list.map(({ id, title, price, live, limits }) => [
        ...[id, title, priceRange(price)],
        live ? (limits === null ? 'live' : 'live in part') : 'not available',
      ])
      await printList(shell, command, { document: { capabilities: list }, headings, rows })
      return
    }
    const found = findCapability(list, word)
    const ports = liveProvidersOf(state, found.id)
    const page = capabilityPage(found, { command: calledAs(shell), columns: shell.io.columns, ports })
    await print(shell, command, { ...found, ports }, page)
  })
}

interface Listed {
  readonly list: readonly ListedCapability[]
  /** The answer of `GET /v1/capabilities`. */
  readonly state: unknown
}

async function listed(shell: Shell, command: Command): Promise<Listed> {
  const { GatewayClient, NoGateway } = await import('../gateway-client.js')
  const base = await gatewayUrl(shell, command)
  const client = new GatewayClient(base)
  try {
    const [list, { body }] = await Promise.all([
      listedCapabilities(client, base),
      client.call({ method: 'GET', path: '/v1/capabilities', idleMs: 30_000 }),
    ])
    return { list, state: body }
  } catch (error) {
    // A gateway that the user named is the one to list.
    if (!(error instanceof NoGateway) || (shell.io.env['CAPSTAN_URL'] ?? '') !== '') throw error
    shell.io.err(`note: no gateway answers at ${base}; these are the capabilities of this installation\n`)
    return await installed(shell, command)
  }
}

/** What a gateway with this configuration would list. */
async function installed(shell: Shell, command: Command): Promise<Listed> {
  const registry = await shell.parts.registry(await readConfig(shell, command))
  try {
    const [{ capabilityList, describe }, { tools }] = await Promise.all([
      import('../../../../core/http/discovery/described.js'),
      import('../../../../core/http/discovery/tools.js'),
    ])
    const raw = tools(describe(registry), 'raw', { single: false, version: registry.version })
    return { list: capabilitiesOf(raw), state: capabilityList(registry) }
  } finally {
    await registry.dispose()
  }
}
