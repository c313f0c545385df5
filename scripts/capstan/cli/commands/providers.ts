import type { Command } from 'commander'
import type { PortReport, ProvidersReport } from '../../../../core/dispatch/provider-report.js'
import { examples } from '../example.js'
import { Failure, UsageError } from '../failure.js'
import type { ProviderOperations } from '../provider-operations.js'
import { print, printList, type Shell } from '../shell.js'
import { hint } from '../../../../core/sdk/nearest.js'

const LONGEST_REASON = 200

/** `capstan providers list|suspend|resume`. */
export function addProviders(program: Command, shell: Shell): void {
  const group = program.command('providers').description('providers of the running gateway: their order, suspensions and reasons')
  examples(group, 'capstan providers list', 'capstan providers suspend search.serp serper --reason maintenance')
  addList(group, shell)
  addSuspend(group, shell)
  addResume(group, shell)
}

function addList(group: Command, shell: Shell): void {
  const command = group
    .command('list')
    .argument('[port]', 'only providers of this port, for example search.serp')
    .description('list every provider in the effective order, with its state')
  examples(command, 'capstan providers list', 'capstan providers list search.serp --json')
  command.action(async (port: string | undefined) => {
    await withOperations(shell, command, async (operations) => {
      const report = onlyPort(await operations.report(), port)
      const rows = report.ports.flatMap((each) => inOrder(each).map((provider, index) => row(each, provider, index)))
      const gone = report.unknown.map(({ port: at, id, suspended }) => [
        at,
        '-',
        id,
        '-',
        'suspended',
        `its plugin no longer exists; ${out(suspended)}`,
      ])
      const headings = ['port', 'place', 'vendor', 'kind', 'state', 'reason']
      await printList(shell, command, { document: report, headings, rows: [...rows, ...gone] })
    })
  })
}

type Listed = PortReport['providers'][number]

/** Providers in their order, then those outside the order. */
function inOrder({ order, providers }: PortReport): Listed[] {
  const place = ({ id, in_order }: Listed): number => (in_order ? order.indexOf(id) : order.length)
  return [...providers].sort((a, b) => place(a) - place(b))
}

function row({ id: port, left_out }: PortReport, { id, kind, state, reason, in_order, suspended }: Listed, index: number): unknown[] {
  const place = in_order ? index + 1 : null
  if (state === 'live' && suspended !== null) return [port, place, id, kind, 'suspended', out(suspended)]
  const isLeftOut = left_out.includes(id)
  const why = [isLeftOut ? 'not in the order' : null, suspended === null ? null : `suspended ${out(suspended)}`, reason]
  return [port, place, id, kind, isLeftOut && state === 'live' ? 'left out' : state, why.filter((each) => each !== null).join('; ')]
}

function out({ why, until, manual }: NonNullable<Listed['suspended']>): string {
  return manual ? `by the operator until it is resumed: ${why}` : `after failures until ${until ?? 'it is resumed'}: ${why}`
}

/** The report on one port, or on all. Throws a Failure for an unknown port. */
export function onlyPort(report: ProvidersReport, port: string | undefined): ProvidersReport {
  if (port === undefined) return report
  const ports = report.ports.filter(({ id }) => id === port)
  const ids = report.ports.map(({ id }) => id)
  const below = ids.filter((id) => id.startsWith(`${port}.`))
  if (below.length > 0 && (ports[0]?.providers ?? []).length === 0)
    throw new Failure(`${port} has no providers of its own; its ports are ${below.join(', ')}`)
  if (ports.length === 0) throw new Failure(`there is no port ${port}${hint(port, ids) || otherPorts(report, port)}`)
  return { ports, unknown: report.unknown.filter((each) => each.port === port) }
}

/** Advice for an unknown port: the ports of a vendor with that name, else the command that lists all. */
function otherPorts({ ports }: ProvidersReport, word: string): string {
  const served = ports.filter(({ providers }) => providers.some(({ id }) => id === word)).map(({ id }) => id)
  return served.length === 0 ? '; list all with capstan providers list' : `: ${word} is a vendor of ${served.join(', ')}`
}

function addSuspend(group: Command, shell: Shell): void {
  const command = group
    .command('suspend')
    .argument('<port>', 'port, for example search.serp')
    .argument('<vendor>', 'id of the vendor')
    .description('suspend a provider until it is resumed: across restarts, on every replica within seconds')
  command.option('--reason <text>', `reason, kept with the suspension, at most ${LONGEST_REASON} characters`)
  examples(command, 'capstan providers suspend search.serp serper --reason maintenance')
  command.action(async (port: string, vendor: string, { reason }: { reason?: string }) => {
    if ((reason ?? 'x').trim() === '' || (reason ?? '').length > LONGEST_REASON)
      throw new UsageError(`--reason must have 1 to ${LONGEST_REASON} characters`)
    await withOperations(shell, command, async (operations) => {
      await operations.suspend(port, vendor, reason)
      await print(
        shell,
        command,
        { port, vendor, suspended: true },
        `suspended ${vendor} of ${port}; resume it with capstan providers resume ${port} ${vendor}`,
      )
    })
  })
}

function addResume(group: Command, shell: Shell): void {
  const command = group
    .command('resume')
    .argument('<port>', 'port, for example search.serp')
    .argument('<vendor>', 'id of the vendor')
    .description('resume a provider immediately, whatever the reason of its suspension')
  examples(command, 'capstan providers resume search.serp serper')
  command.action(async (port: string, vendor: string) => {
    await withOperations(shell, command, async (operations) => {
      await operations.resume(port, vendor)
      await print(shell, command, { port, vendor, suspended: false }, `resumed ${vendor} of ${port}`)
    })
  })
}

/** Loads the operations on providers on first use. */
export async function withOperations(
  shell: Shell,
  command: Command,
  work: (operations: ProviderOperations) => Promise<void>,
): Promise<void> {
  const { withProviders } = await import('../provider-operations.js')
  await withProviders(shell, command, work)
}
