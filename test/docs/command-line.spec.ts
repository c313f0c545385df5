import { expect } from 'chai'
import type { Command } from 'commander'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { realParts } from '../../scripts/capstan/cli/parts.js'
import { buildProgram } from '../../scripts/capstan/cli/program.js'
import { pages, rowsOf, source } from '../support/pages.js'

const page = source('docs/command-line.md')
const EXIT_CODES = 'scripts/capstan/cli/exit-codes.ts'

/** The commands of the command line as a tree. */
function program(): Command {
  const io = { env: {}, cwd: tmpdir(), tty: false, out: () => Promise.resolve(), err: () => undefined }
  return buildProgram({ io, parts: realParts, root: packageRoot() })
}

/** What is wrong with a command as a page writes it: an unknown subcommand or option; null when nothing is. */
function faultOf(written: string): string | null {
  let at = program()
  const options = new Set(at.options.map(({ long }) => long))
  for (const word of written.split(/\s+/).slice(1)) {
    const next = at.commands.find((command) => command.name() === word)
    if (next !== undefined) at = next
    else if (at.commands.length > 0 && /^[a-z]/.test(word)) return `${at.name()} has no command ${word}`
    for (const { long } of at.options) options.add(long)
    const [option] = /^\[?--([\w-]+)/.exec(word) ?? []
    if (option !== undefined && option !== '--help' && !options.has(option.replace('[', ''))) return `${at.name()} has no option ${option}`
  }
  return null
}

describe('commands that pages name in code', () => {
  it('are there, with their subcommands and options', () => {
    const all = [...pages(), 'CHANGELOG.md'].flatMap((path) =>
      [
        ...source(path)
          .replaceAll(/\n +/g, ' ')
          .matchAll(/`((?:\.\/)?capstan [a-z][^`]*)`/g),
      ].map(([, command = '']) => ({ path, command })),
    )
    expect(all.length).to.be.above(40)
    const wrong = all.flatMap(({ path, command }) => {
      const fault = faultOf(command)
      return fault === null ? [] : [`${path}: ${command}: ${fault}`]
    })
    expect(wrong).to.deep.equal([])
  })

  it('would be refused with another name or option', () => {
    expect(faultOf('capstan acounts list')).to.contain('no command acounts')
    expect(faultOf('capstan accounts lists')).to.contain('no command lists')
    expect(faultOf('capstan accounts create --credit 5')).to.contain('no option --credit')
    expect(faultOf('./capstan accounts create --name a --credits 5 --json')).to.equal(null)
  })
})

describe('docs/command-line.md', () => {
  it('names every command', () => {
    const commands = readdirSync(join(packageRoot(), 'scripts/capstan/cli/commands'))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.replace('.ts', ''))
    const table = rowsOf(page, 'command').map(({ command = '' }) => command)
    expect(commands.filter((name) => !table.some((cell) => new RegExp(`\`${name}\\b`).test(cell)))).to.deep.equal([])
  })

  it('has the exit codes of the command line', () => {
    const [list = ''] = source(EXIT_CODES).split('] as const')
    const codes = [...list.matchAll(/\[\s*(\d+),\s*'([^']*)',?\s*\]/g)].map(([, code, meaning]) => [code, meaning])
    expect(codes.length).to.be.at.least(2)
    expect(rowsOf(page, 'code').map(({ code, meaning = '' }) => [code, meaning.replaceAll('`', '')])).to.deep.equal(codes)
  })
})
