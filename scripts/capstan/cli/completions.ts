import type { Argument, Command, Option } from 'commander'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRecord } from '../../../core/sdk/json.js'
import type { ListedCapability } from './catalogue.js'

interface Typed {
  /** The words behind `capstan`; the last is the one to complete, which may be empty. */
  readonly words: readonly string[]
  readonly cwd: string
  /** The capabilities of the gateway; none if it does not answer. */
  readonly capabilities: () => Promise<readonly ListedCapability[]>
}

/** Commands whose first argument is a capability. */
const OF_CAPABILITIES = ['run', 'tools']

/** The words that may replace the last one: commands, options, capabilities, parameters, their values, and files. */
export async function completions(root: Command, { words, cwd, capabilities }: Typed): Promise<string[]> {
  const current = words.at(-1) ?? ''
  const { command, operands, option } = read(root, words.slice(0, -1))
  const offered = async (): Promise<readonly string[]> => {
    if (option !== undefined) return option.argChoices ?? (isFile(option.flags) ? files('', current, cwd) : [])
    if (current.startsWith('-')) return optionsOf(command)
    if (command.commands.length > 0 && operands.length === 0)
      return command
        .createHelp()
        .visibleCommands(command)
        .map((each) => each.name())
    if (OF_CAPABILITIES.includes(command.name()) && operands.length === 0) return (await capabilities()).map(({ id }) => id)
    const [first] = operands
    if (command.name() === 'run' && first !== undefined) {
      const found = (await capabilities()).find(({ id }) => id === first)
      return found === undefined ? [] : parametersOf(found, { operands, current, cwd })
    }
    const argument = argumentAt(command, operands.length)
    return argument?.argChoices ?? (isFile(argument?.name() ?? '') ? files('', current, cwd) : [])
  }
  return [...(await offered())].filter((word) => word.startsWith(current)).sort()
}

interface Position {
  readonly command: Command
  /** Arguments of the command so far. */
  readonly operands: readonly string[]
  /** The option whose value comes next. */
  readonly option: Option | undefined
}

/** Where the line is after some words. */
function read(root: Command, words: readonly string[]): Position {
  let command = root
  let option: Option | undefined
  const operands: string[] = []
  for (const word of words) {
    if (option !== undefined) option = undefined
    else if (word.startsWith('-')) option = valueOption(command, word)
    else {
      const child = operands.length === 0 ? command.commands.find((each) => each.name() === word) : undefined
      if (child === undefined) operands.push(word)
      else command = child
    }
  }
  return { command, operands, option }
}

function valueOption(command: Command, word: string): Option | undefined {
  const found = withAbove(command)
    .flatMap((each) => each.options)
    .find(({ long, short }) => long === word || short === word)
  return found !== undefined && (found.required || found.optional) ? found : undefined
}

function optionsOf(command: Command): string[] {
  const own = withAbove(command).flatMap((each) =>
    each.options.filter(({ hidden, long }) => !hidden && (each === command || long !== '--version')),
  )
  return [...own.flatMap(({ long }) => long ?? []), '--help']
}

function withAbove(command: Command): Command[] {
  return command.parent === null ? [command] : [command, ...withAbove(command.parent)]
}

function argumentAt({ registeredArguments }: Command, at: number): Argument | undefined {
  return registeredArguments[at] ?? (registeredArguments.at(-1)?.variadic === true ? registeredArguments.at(-1) : undefined)
}

function isFile(name: string): boolean {
  return /\b(?:file|folder)s?\b/.test(name)
}

interface Call {
  readonly operands: readonly string[]
  readonly current: string
  readonly cwd: string
}

/** `name=` of each parameter that is not given yet; behind it the values that it allows, or the files that `@` uploads. */
function parametersOf({ parameters }: ListedCapability, { operands, current, cwd }: Call): string[] {
  const [, name, value] = /^([\w-]+)=(.*)$/s.exec(current) ?? []
  if (name === undefined || value === undefined) {
    const given = new Set(operands.slice(1).map((word) => word.split(/:?=/, 1)[0]))
    return Object.keys(parameters).flatMap((each) => (given.has(each) ? [] : [`${each}=`]))
  }
  if (value.startsWith('@')) return files(`${name}=@`, value.slice(1), cwd)
  return valuesOf(parameters[name]).map((each) => `${name}=${each}`)
}

function valuesOf(schema: unknown): string[] {
  if (!isRecord(schema)) return []
  if (Array.isArray(schema.enum)) return schema.enum.filter((value) => value !== null).map(String)
  if (schema.type === 'boolean') return ['true', 'false']
  return [schema.anyOf, schema.oneOf].flatMap((each) => (Array.isArray(each) ? each.flatMap(valuesOf) : []))
}

/** Files and folders that begin so, with a slash behind folders. */
function files(prefix: string, begun: string, cwd: string): string[] {
  const folder = begun.slice(0, begun.lastIndexOf('/') + 1)
  const last = begun.slice(folder.length)
  try {
    return readdirSync(resolve(cwd, folder === '' ? '.' : folder), { withFileTypes: true })
      .filter(({ name }) => name.startsWith('.') === last.startsWith('.'))
      .map((entry) => `${prefix}${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
  } catch (error) {
    // A folder that is not there has nothing to offer.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
