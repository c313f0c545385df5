import type { Command } from 'commander'
import { definitionList } from '../../../config/default.js'
import { hint, nearest } from '../../../core/sdk/nearest.js'

/** Names of commands in other programs. */
const OTHER_WORDS: Readonly<Record<string, string>> = { start: 'serve', up: 'serve', call: 'run' }
/** Advice for an excess argument, by command. */
const PLACES: Readonly<Record<string, string>> = {
  'accounts list': 'To show one account use capstan accounts show.',
  'config check': 'Name the file with --config.',
  'keys list': 'Name the account with --account.',
  'ledger export': 'It writes to standard output: capstan ledger export > FILE.',
}

/** Advice to append to an error of commander; empty when there is none. */
export function adviceFor(command: Command, message: string, code = ''): string {
  const [, word = ''] = /'([^']+)'/.exec(message) ?? []
  if (code === 'commander.unknownOption') return optionAdvice(command, word)
  if (code === 'commander.unknownCommand') return commandAdvice(command, word)
  if (code === 'commander.excessArguments') return excessAdvice(command)
  return ''
}

function optionAdvice(command: Command, word: string): string {
  const path = pathOf(command)
  const name = word.replace(/^-+/, '').replace(/=.*$/s, '')
  if (path === 'run') return `; write a parameter without dashes: ${name}=${command.args[command.args.indexOf(word) + 1] ?? 'value'}`
  const setting = definitionList.find((each) => each.variable !== null && each.name.split('.').at(-1) === name.replaceAll('-', '_'))
  if (path === 'serve' && setting?.variable != null) return `; it is a setting: ${setting.variable}, or ${setting.name} in capstan.yml`
  const options = [command, ...above(command)].flatMap((each) => [...each.options])
  const names = [...options.flatMap(({ long }) => (long == null ? [] : [long.slice(2)])), 'help']
  const shown = command.parent === null ? names : names.filter((each) => each !== 'version')
  const short = options.find((each) => each.short?.toLowerCase() === `-${name}`.toLowerCase())
  const begun = name.length > 2 ? names.find((each) => each.startsWith(name) || each.split('-').includes(name)) : undefined
  const near = short?.long?.slice(2) ?? nearest(name, names) ?? begun
  return near === undefined ? `; options: ${shown.map((each) => `--${each}`).join(', ')}` : `; did you mean --${near}?`
}

function commandAdvice(command: Command, word: string): string {
  const names = [...command.commands.map((each) => each.name()), 'help']
  const meant = OTHER_WORDS[word]
  const near = meant !== undefined && names.includes(meant) ? meant : nearest(word, names)
  if (near !== null) return `; did you mean ${near}?`
  const elsewhere = leafElsewhere(command, word)
  if (elsewhere !== null) return `; did you mean ${elsewhere}?`
  if (command.commands.length === 0) return ''
  const isRoot = command.parent === null
  return isRoot ? `; list commands with capstan --help, call a capability with capstan run ${word}` : hint(word, names)
}

/** The command of this name in the group with the nearest name, or the only one of this name. */
function leafElsewhere(command: Command, word: string): string | null {
  const root = above(command).at(-1) ?? command
  const groups = root.commands.filter((group) => group !== command && group.commands.some((each) => each.name() === word))
  const near = nearest(
    command.name(),
    groups.map((group) => group.name()),
  )
  const group = near ?? (groups.length === 1 ? groups[0]?.name() : undefined)
  return group === undefined ? null : `capstan ${group} ${word}`
}

function excessAdvice(command: Command): string {
  const place = PLACES[pathOf(command)]
  if (place !== undefined) return ` ${place}`
  const hasText = command.options.some((each) => each.required && command.getOptionValueSource(each.attributeName()) === 'cli')
  return hasText ? ' Put a text with spaces in quotes.' : ''
}

function above(command: Command): Command[] {
  return command.parent === null ? [] : [command.parent, ...above(command.parent)]
}

/** The words of a command without `capstan`. */
function pathOf(command: Command): string {
  return [command, ...above(command)]
    .map((each) => each.name())
    .reverse()
    .slice(1)
    .join(' ')
}
