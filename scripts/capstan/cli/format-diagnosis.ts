import type { Command } from 'commander'
import { stripVTControlCharacters } from 'node:util'
import { colors } from './colors.js'
import { wrapped } from './display-width.js'
import type { Shell } from './shell.js'
import type { Diagnosis, PortDiagnosis, ProviderDiagnosis } from '../../../core/diagnosis/types.js'

const ORDER_FROM = { operator: 'set while running', variable: 'from the variable', file: 'from the file', default: '' } as const

/** How a diagnosis is shown. */
interface Form {
  /** The gateway that was queried. */
  readonly gateway: string
  /** Every provider and check, instead of one screen. */
  readonly all: boolean
  /** Columns of the terminal. */
  readonly columns: number | undefined
}

/** The output format of a command. */
export function formOf({ io }: Shell, command: Command): Omit<Form, 'gateway'> {
  return { all: command.opts<{ readonly all?: boolean }>().all === true, columns: io.columns }
}

/** The text form of a diagnosis: on one screen what fails, with its remedy, and what keys would add; or everything. */
export function formatDiagnosis(diagnosis: Diagnosis, { gateway, all, columns = Infinity }: Form): string {
  const lines = [`${colors.bold('gateway')}  ${gateway}`, '', ...(all ? everything(diagnosis) : oneScreen(diagnosis, columns))]
  return [...lines, '', `${diagnosis.live} of ${diagnosis.total} capabilities are available now`].join('\n')
}

function everything({ capabilities, checks }: Diagnosis): string[] {
  const lines = capabilities.flatMap((capability) => {
    const { id, answers, limits, ports } = capability
    const state = answers ? (limits === null ? '' : `  ${colors.yellow(limits)}`) : '  unavailable'
    return [`${mark(answers, colors.red)} ${colors.bold(id)}${state}`, ...ports.flatMap((port) => portLines(port, id))]
  })
  const width = Math.max(...checks.map(({ name }) => name.length)) + 2
  return [
    ...lines,
    '',
    colors.bold('checks'),
    ...checks.map(({ name, ok, detail }) => `${mark(ok, colors.yellow)} ${name.padEnd(width)}${detail}`),
  ]
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

function mark(ok: boolean, bad: (text: string) => string): string {
  return ok ? colors.green('●') : bad('○')
}

/** The place of a variable in the file, which the whole list has. */
const ALTERNATIVE = / \(or (?:vendors|plugins)\.[\w.-]+\)/g
const INDENT = '    '

/** Lines of one screen, without the first and the last. */
const LINES = 30
/** Least lines for what keys would add. */
const KEY_LINES = 6

/** What needs attention first: failed checks, unavailable and limited capabilities, broken and suspended providers; then what keys would add. */
function oneScreen(diagnosis: Diagnosis, columns: number): string[] {
  const urgent = [...checkLines(diagnosis), ...capabilityLines(diagnosis), ...providerLines(diagnosis)].flatMap(([name, text]) =>
    hanging(`${name}  `, text, columns),
  )
  const keys = keyLines(diagnosis, columns)
  const shownUrgent = first(urgent, LINES - Math.min(keys.length, KEY_LINES))
  const shownKeys = first(keys, Math.max(KEY_LINES, LINES - shownUrgent.length))
  return [
    ...(urgent.length === 0 ? [`${colors.green('●')} nothing fails`] : shownUrgent),
    ...(keys.length === 0 ? [] : ['', colors.bold('what keys would add'), ...shownKeys]),
    '',
    colors.dim('capstan doctor --all shows every provider, with its settings, and every check'),
  ]
}

type Line = readonly [name: string, text: string]

function capabilityLines({ capabilities }: Diagnosis): Line[] {
  return capabilities.flatMap(({ id, answers, limits, ports }): Line[] => {
    if (answers) return limits === null ? [] : [[`${colors.yellow('●')} ${colors.bold(id)}`, limits]]
    if (waiting(ports).length > 0) return [[`${colors.red('○')} ${colors.bold(id)}`, 'unavailable until one of its keys below is set']]
    const reasons = ports.flatMap(({ providers }) => providers.flatMap(({ reason }) => reason ?? []))
    const remedy = reasons.length === 0 ? 'no provider' : [...new Set(reasons)].slice(0, 3).join('; or ')
    return [[`${colors.red('○')} ${colors.bold(id)}`, `unavailable: ${remedy}`]]
  })
}

/** Broken and suspended providers, each once, with the ports where they are missed. */
function providerLines({ capabilities }: Diagnosis): Line[] {
  const ports = new Map(capabilities.flatMap((capability) => capability.ports.map((port) => [port.id, port.providers] as const)))
  const failing = new Map<string, string[]>()
  for (const [port, providers] of ports)
    for (const { vendor, state, reason } of providers) {
      if (state !== 'broken' && state !== 'suspended') continue
      const text = `${state}: ${reason ?? 'no reason is known'}`
      failing.set(`${vendor}\n${text}`, [...(failing.get(`${vendor}\n${text}`) ?? []), port])
    }
  return [...failing].map(([key, where]): Line => {
    const [vendor = '', text = ''] = key.split('\n', 2)
    return [`${colors.yellow('○')} ${vendor} of ${where.join(', ')}`, text]
  })
}

function checkLines({ checks }: Diagnosis): Line[] {
  return checks.flatMap(({ name, ok, detail }): Line[] => (ok ? [] : [[`${colors.yellow('○')} ${name}`, detail]]))
}

/** The providers of a capability that wait for a key. */
function waiting(ports: readonly PortDiagnosis[]): ProviderDiagnosis[] {
  return ports.flatMap(({ providers }) => providers.filter(({ kind, state }) => kind === 'keyed' && state === 'dormant'))
}

/** For each capability, those that are unavailable first, the vendors that wait for a key, with the variable to set where that fits on a line. */
function keyLines({ capabilities }: Diagnosis, columns: number): string[] {
  const sorted = [...capabilities].sort((a, b) => Number(a.answers) - Number(b.answers))
  const rows = sorted.flatMap(({ id, ports }) => {
    const vendors = new Map(waiting(ports).map(({ vendor, settings: [variable] }) => [vendor, variable] as const))
    return vendors.size === 0 ? [] : [{ id, vendors }]
  })
  const width = Math.max(0, ...rows.map(({ id }) => id.length)) + 2
  return rows.map(({ id, vendors }) => {
    const full = [...vendors].map(([vendor, variable]) => (variable === undefined ? vendor : `${vendor} (${variable})`)).join(', ')
    const room = columns - width - 2
    return `  ${id.padEnd(width)}${full.length <= room ? full : fitting([...vendors.keys()], room)}`
  })
}

/** As many words as fit, and how many more there are. */
function fitting(words: readonly string[], room: number): string {
  for (let count = words.length; count > 1; count--) {
    const rest = words.length - count
    const text = `${words.slice(0, count).join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`
    if (text.length <= room) return text
  }
  return `${words[0] ?? ''}${words.length > 1 ? ` and ${words.length - 1} more` : ''}`
}

/** A name and a text, whose further lines are indented. */
function hanging(name: string, text: string, columns: number): string[] {
  const short = text.replaceAll(ALTERNATIVE, '').replaceAll('\n', ' ')
  if (columns === Infinity) return [name + short]
  const width = stripVTControlCharacters(name).trimEnd().length
  const [line = '', ...rest] = wrapped(`${'x'.repeat(width)} ${short}`, columns - INDENT.length)
  return [name + line.slice(width + 1), ...rest.map((each) => INDENT + each)]
}

function first(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `  and ${lines.length - most + 1} more lines: capstan doctor --all`]
}
