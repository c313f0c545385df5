import { expect } from 'chai'
import type { Command } from 'commander'
import { realParts } from '../../../scripts/capstan/cli/parts.js'
import { buildProgram } from '../../../scripts/capstan/cli/program.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { complaintsAbout, some } from '../../support/mistakes.js'
import { COMMAND_MISTAKES, commandMistakes, type CommandAnswer } from './answers.js'

const LEAST = 5

/** The commands that do something, by their names without `capstan`. */
function leaves(command: Command, above: readonly string[] = []): string[] {
  return command.commands.flatMap((child) => {
    const path = [...above, child.name()]
    return child.commands.length === 0 ? [path.join(' ')] : leaves(child, path)
  })
}

describe('mistakes with the commands', function () {
  this.timeout(300_000)
  let answers: readonly CommandAnswer[]
  before(async () => {
    answers = await commandMistakes(some(COMMAND_MISTAKES))
  })

  const io = { env: {}, cwd: '/', tty: false, out: () => Promise.resolve(), err: () => undefined }
  const commands = [...leaves(buildProgram({ io, parts: realParts, root: packageRoot() })), 'help']

  it(`each of the ${commands.length} commands has ${LEAST} of its own`, () => {
    const few = commands.filter((name) => new Set(COMMAND_MISTAKES.filter(({ of }) => of === name).map(({ tried }) => tried)).size < LEAST)
    expect(few).to.deep.equal([])
    const unknown = COMMAND_MISTAKES.filter(({ of }) => of !== 'capstan' && !commands.includes(of)).map(({ of }) => of)
    expect(unknown).to.deep.equal([])
  })

  it('no mistake is listed twice', () => {
    const lines = COMMAND_MISTAKES.map(({ tried }) => tried)
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).to.deep.equal([])
  })

  it('every answer says what to change, in a few lines', () => expect(answers.flatMap(complaintsAbout)).to.deep.equal([]))

  it('no answer says a line twice, or holds what drives a terminal', () => {
    const twice = answers.filter(({ answer }) => {
      const lines = answer.split('\n').filter((line) => line.trim() !== '')
      return new Set(lines).size < lines.length || lines.some((line) => /\p{Cc}/u.test(line))
    })
    expect(twice.map(({ tried, answer }) => `${tried}: ${answer}`)).to.deep.equal([])
  })

  it('each ends with 2 where it was used wrongly, and with the code of its error where it failed', () => {
    expect(answers.filter(({ code, exit }) => code !== exit).map(({ tried, code }) => `${tried}: ${code}`)).to.deep.equal([])
  })
})
