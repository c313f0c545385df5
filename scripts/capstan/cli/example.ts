import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ListedCapability } from './catalogue.js'
import { UsageError } from './failure.js'
import { parseParameters } from './parameters.js'
import { shortPath, type Shell } from './shell.js'

/** Appends examples to a command's help. */
export function examples(command: Command, ...lines: string[]): Command {
  return command.addHelpText(
    'after',
    `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`,
  )
}

/** How the command line is called from the working folder: by the file in the clone, or the program that is installed. */
export function calledAs({ io, root }: Shell): string {
  const file = join(root, 'capstan')
  if (!existsSync(file)) return 'capstan'
  const short = shortPath(io.cwd, file)
  return short.includes('/') ? short : `./${short}`
}

/** A call as a line for a POSIX shell, which hands exactly these parameters over. */
export function exampleCall(command: string, { id, parameters }: ListedCapability, params: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(params).map(([name, value]) => {
    const plain = Array.isArray(value) ? value.join(',') : String(value)
    return isReadAs(`${name}=${plain}`, value, parameters) ? `${name}=${quoted(plain)}` : `${name}:=${quoted(JSON.stringify(value))}`
  })
  return [quoted(command), 'run', id, ...words].join(' ')
}

/** True when the word gives its parameter this value; a text that begins with @ would be read from a file. */
function isReadAs(word: string, value: unknown, schemas: ListedCapability['parameters']): boolean {
  if (word.includes('=@')) return false
  try {
    return JSON.stringify(Object.values(parseParameters([word], schemas, '/'))[0]) === JSON.stringify(value)
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
