import { expect } from 'chai'
import type { Command } from 'commander'
import { realParts } from '../../../scripts/capstan/cli/parts.js'
import { buildProgram } from '../../../scripts/capstan/cli/program.js'
import { packageRoot, packageVersion } from '../../../core/runtime/root.js'
import { cliBench, type CliBench } from '../../support/cli.js'

const io = { env: {}, cwd: '/', tty: false, out: () => Promise.resolve(), err: () => undefined }

function paths(command: Command, above: string[] = []): { path: string[]; command: Command }[] {
  return command.commands.flatMap((child) => [
    { path: [...above, child.name()], command: child },
    ...paths(child, [...above, child.name()]),
  ])
}

describe('capstan: usage', () => {
  let bench: CliBench
  beforeEach(() => (bench = cliBench()))
  afterEach(() => bench.done())

  const all = paths(buildProgram({ io, parts: realParts, root: packageRoot() }))

  it('has the commands of the design', () => {
    const leaves = all.filter(({ command }) => command.commands.length === 0).map(({ path }) => path.join(' '))
    expect(leaves).to.include.members([
      'serve',
      'doctor',
      'config check',
      'accounts list',
      'accounts create',
      'accounts show',
      'accounts disable',
      'accounts enable',
      'credits grant',
      'credits adjust',
      'keys create',
      'keys list',
      'keys revoke',
      'keys rotate',
      'ledger check',
      'ledger export',
      'providers list',
      'providers suspend',
      'providers resume',
      'waterfall show',
      'waterfall set',
      'waterfall reset',
      'run',
      'tools',
      'calls',
      'completion',
      'plugin new',
      'plugin test',
      'plugin list',
      'plugin lock',
      'provider new',
      'backup',
    ])
  })

  for (const { path, command } of all) {
    it(`${path.join(' ')} --help shows an example and ends with 0`, async () => {
      const { code, out, err } = await bench.run(...path, '--help')
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect(out)
        .to.match(new RegExp(`Examples?:\\n  \\$ (?:\\w+=\\S+ )?capstan ${path[0]}`))
        .and.to.contain('--json')
        .and.to.contain('--config <file>')
    })

    it(`${path.join(' ')} --bogus ends with 2 and the usage line on standard error`, async () => {
      const { code, out, err } = await bench.run(...path, '--bogus', '--json')
      expect(code).to.equal(2)
      expect(out).to.equal('')
      expect(err)
        .to.match(/unknown option '--bogus'|required option/)
        .and.to.contain(`usage: capstan ${path.join(' ')}`)
    })

    if (command.registeredArguments.some((argument) => argument.required) || command.options.some((option) => option.mandatory)) {
      it(`${path.join(' ')} without what it needs ends with 2 and the usage line`, async () => {
        const { code, out, err } = await bench.run(...path)
        expect(code).to.equal(2)
        expect(out).to.equal('')
        expect(err)
          .to.match(/missing required argument|required option/)
          .and.to.contain(`usage: capstan ${path.join(' ')}`)
      })
    }
  }

  it('an unknown command ends with 2', async () => {
    const { code, err } = await bench.run('acounts', 'list')
    expect(code).to.equal(2)
    expect(err).to.contain('acounts').and.to.contain('usage: capstan')
  })

  it('an argument too many ends with 2', async () => {
    expect((await bench.run('accounts', 'list', 'more')).code).to.equal(2)
  })

  it('help with two words shows the help of that command, before the group and behind it', async () => {
    const wanted = await bench.run('accounts', 'create', '--help')
    expect(await bench.run('help', 'accounts', 'create')).to.include({ code: 0, out: wanted.out })
    expect(await bench.run('accounts', 'help', 'create')).to.include({ code: 0, out: wanted.out })
  })

  it('--version prints the version', async () => {
    expect(await bench.run('--version')).to.include({ code: 0, out: `${packageVersion()}\n` })
  })

  it('a wrong configuration ends with 1, with --json as one document', async () => {
    const broken = cliBench({ env: { CAPSTAN_PORT: 'many' } })
    const result = await broken.run('accounts', 'list', '--json')
    broken.done()
    expect(result.code).to.equal(1)
    expect(result.json()).to.deep.equal({ error: 'CAPSTAN_PORT: server.port must be a whole number from 0 to 65535, not "many"' })
    expect(result.err).to.contain('CAPSTAN_PORT')
  })
})
