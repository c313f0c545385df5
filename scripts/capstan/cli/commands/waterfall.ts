import type { Command } from 'commander'
import { examples } from '../example.js'
import { UsageError } from '../failure.js'
import { orderFaults } from '../../../../core/config/waterfall.js'
import type { ChangedOrder } from '../provider-operations.js'
import { print, printList, type Shell } from '../shell.js'
import { onlyPort, withOperations } from './providers.js'

/** `capstan waterfall show|set|reset`. */
export function addWaterfall(program: Command, shell: Shell): void {
  const group = program.command('waterfall').description('the order in which the providers of a port are tried')
  examples(group, 'capstan waterfall show', 'capstan waterfall set search.serp brave,searxng')
  addShow(group, shell)
  addSet(group, shell)
  addReset(group, shell)
}

function addShow(group: Command, shell: Shell): void {
  const command = group
    .command('show')
    .argument('[port]', 'only this port, for example search.serp')
    .description('show the effective orders, their source, and the providers outside them')
  examples(command, 'capstan waterfall show', 'capstan waterfall show search.serp --json')
  command.action(async (port: string | undefined) => {
    await withOperations(shell, command, async (operations) => {
      const { ports } = onlyPort(await operations.report(), port)
      const list = ports.map(({ id, order, order_from, left_out }) => ({ port: id, order, order_from, left_out }))
      const rows = list.map((each) => [each.port, each.order_from, each.order.join(', '), each.left_out.join(', ')])
      await printList(shell, command, { document: { ports: list }, headings: ['port', 'from', 'order', 'left out'], rows })
    })
  })
}

function addSet(group: Command, shell: Shell): void {
  const command = group
    .command('set')
    .argument('<port>', 'port, for example search.serp')
    .argument('[vendors...]', 'all vendor ids in order; or only -vendor: the default order without it')
    .helpOption('--help', 'show help')
    .allowUnknownOption()
    .description('set the order of a port: overrides the configuration, across restarts, on every replica within seconds')
  examples(command, 'capstan waterfall set search.serp brave,searxng,wikipedia', 'capstan waterfall set search.serp -wikipedia')
  command.action(async (port: string, words: string[]) => {
    // A vendor to exclude looks like an option.
    const option = [port, ...words].find((word) => word.startsWith('--'))
    if (option !== undefined) return command.error(`error: unknown option '${option}'`, { code: 'commander.unknownOption' })
    const order = words
      .flatMap((word) => word.split(','))
      .map((id) => id.trim())
      .filter((id) => id !== '')
    if (order.length === 0)
      throw new UsageError('name the port and its vendors in order, for example capstan waterfall set search.serp brave,searxng')
    const [wrong] = orderFaults(order)
    if (wrong !== undefined) throw new UsageError(`the order ${wrong.says}`)
    await withOperations(shell, command, async (operations) => {
      const changed = await operations.putOrder(port, order)
      await print(shell, command, changed, inWords(changed))
    })
  })
}

function addReset(group: Command, shell: Shell): void {
  const command = group
    .command('reset')
    .argument('<port>', 'port, for example search.serp')
    .description('remove the order that was set while running: the configured one applies again')
  examples(command, 'capstan waterfall reset search.serp')
  command.action(async (port: string) => {
    await withOperations(shell, command, async (operations) => {
      const changed = await operations.removeOrder(port)
      await print(shell, command, changed, inWords(changed))
    })
  })
}

function inWords({ port, order, left_out }: ChangedOrder): string {
  const words = `${port}: ${order.length === 0 ? 'no providers' : order.join(', ')}`
  return left_out.length === 0 ? words : `${words}\nnot in the order: ${left_out.join(', ')}`
}
