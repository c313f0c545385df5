import { expect } from 'chai'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { skip } from '../support/needs.js'
import { rowsOf, source } from '../support/pages.js'

const page = source('docs/command-line.md')
const EXIT_CODES = 'scripts/capstan/cli/exit-codes.ts'

describe('docs/command-line.md', () => {
  it('names every command', () => {
    const commands = readdirSync(join(packageRoot(), 'scripts/capstan/cli/commands'))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.replace('.ts', ''))
    const table = rowsOf(page, 'command').map(({ command = '' }) => command)
    expect(commands.filter((name) => !table.some((cell) => new RegExp(`\`${name}\\b`).test(cell)))).to.deep.equal([])
  })

  it('has the exit codes of the command line', function () {
    if (!existsSync(join(packageRoot(), EXIT_CODES))) skip(this, `${EXIT_CODES} is not there`)
    const [list = ''] = source(EXIT_CODES).split('] as const')
    const codes = [...list.matchAll(/\[\s*(\d+),\s*'([^']*)',?\s*\]/g)].map(([, code, meaning]) => [code, meaning])
    expect(codes.length).to.be.at.least(2)
    expect(rowsOf(page, 'code').map(({ code, meaning = '' }) => [code, meaning.replaceAll('`', '')])).to.deep.equal(codes)
  })
})
