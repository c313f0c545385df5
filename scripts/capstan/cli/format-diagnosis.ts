import { colors } from './colors.js'
import type { Diagnosis, PortDiagnosis, ProviderDiagnosis } from '../../../core/diagnosis/types.js'

const ORDER_FROM = { operator: 'set while running', variable: 'from the variable', file: 'from the file', default: '' } as const

/** The text form of a diagnosis; `gateway` names the gateway that was queried. */
export function formatDiagnosis({ live, total, capabilities, checks }: Diagnosis, gateway: string): string {
  const lines: string[] = [`${colors.bold('gateway')}  ${gateway}`, '']
  for (const { id, answers, limits, ports } of capabilities) {
    lines.push(
      `${answers ? colors.green('●') : colors.red('○')} ${colors.bold(id)}${answers ? (limits === null ? '' : `  ${colors.yellow(limits)}`) : '  unavailable'}`,
    )
    for (const port of ports) lines.push(...portLines(port, id))
  }
  lines.push('', colors.bold('checks'))
  const width = Math.max(...checks.map(({ name }) => name.length)) + 2
  for (const { name, ok, detail } of checks) lines.push(`${ok ? colors.green('●') : colors.yellow('○')} ${name.padEnd(width)}${detail}`)
  lines.push('', `${live} of ${total} capabilities are available now`)
  return lines.join('\n')
}

function portLines({ id, order_from, left_out, providers }: PortDiagnosis, capability: string): string[] {
  const from = ORDER_FROM[order_from]
  const heading = [...(id === capability ? [] : [id]), ...(from === '' ? [] : [`order ${from}`])].join(', ')
  return [
    ...(heading === '' ? [] : [`    ${heading}`]),
    ...providers.map((provider) => `      ${providerLine(provider)}`),
    ...(providers.length === 0 ? ['      no provider'] : []),
    ...(left_out.length === 0 ? [] : [`      ${colors.dim(`not in the order: ${left_out.join(', ')}`)}`]),
  ]
}

function providerLine({ vendor, kind, state, reason }: ProviderDiagnosis): string {
  const paint = { live: colors.green, dormant: colors.dim, broken: colors.red, suspended: colors.yellow }[state]
  return `${vendor.padEnd(22)}${kind.padEnd(9)}${paint(state)}${reason === null ? '' : `: ${reason}`}`
}
