import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cliBench, type CliBench } from '../../support/cli.js'
import { listen, startGateway, type TestGateway } from '../../support/gateway.js'
import { needsProgram } from '../../support/needs.js'
import { CLI } from '../../support/served.js'
import { until } from '../../support/time.js'

describe('capstan completion', function () {
  this.timeout(60_000)
  let gateway: TestGateway
  let bench: CliBench
  before(async () => (gateway = await startGateway()))
  after(async () => await gateway?.close())
  beforeEach(() => (bench = cliBench({ env: { CAPSTAN_URL: gateway.url } })))
  afterEach(() => bench.done())
  const complete = async (...words: string[]): Promise<string[]> => {
    const { code, out, err } = await bench.run('completion', 'bash', ...words.map((word) => `--word=${word}`))
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    return out.split('\n').slice(0, -1)
  }

  /** What is offered once the gateway answers within half a second, which a busy machine may not let it. */
  const offered = async (...words: string[]): Promise<string[]> => {
    let found: string[] = []
    await until(async () => (found = await complete(...words)).length > 0)
    return found
  }

  it('offers commands and their options', async () => {
    expect(await complete('')).to.include.members(['run', 'tools', 'keys', 'doctor', 'help'])
    expect(await complete('ke')).to.deep.equal(['keys'])
    expect(await complete('keys', '')).to.deep.equal(['create', 'help', 'list', 'revoke', 'rotate'])
    expect(await complete('keys', 'create', '--credit')).to.deep.equal(['--credit-limit', '--credit-limit-per-day'])
    expect(await complete('run', 'test.echo', '--o')).to.deep.equal(['--out'])
    expect(await complete('doctor', '--js')).to.deep.equal(['--json'])
    expect(await complete('ledger', 'export', '--format', '')).to.deep.equal(['csv', 'ndjson'])
    expect(await complete('completion', '')).to.deep.equal(['bash', 'fish', 'zsh'])
    expect(await complete('accounts', 'show', '')).to.deep.equal([])
  })

  it('offers the capabilities of the gateway, their parameters without those given, and allowed values', async () => {
    expect(await offered('run', '')).to.deep.equal(['test.echo', 'test.send'])
    expect(await offered('tools', 'test.e')).to.deep.equal(['test.echo'])
    expect(await offered('run', 'test.echo', '')).to.deep.equal(['mode=', 'note=', 'text=', 'times='])
    expect(await offered('run', 'test.echo', 'text=hello world', '--json', '')).to.deep.equal(['mode=', 'note=', 'times='])
    expect(await offered('run', 'test.echo', 'mode=')).to.deep.equal(['mode=loud', 'mode=plain'])
    expect(await complete('run', 'test.echo', 'text=')).to.deep.equal([])
    expect(await complete('run', 'no.such', '')).to.deep.equal([])
  })

  it('offers files behind @ and for options and arguments that take one', async () => {
    mkdirSync(join(bench.folder, 'papers'))
    for (const name of ['page.html', '.hidden', 'papers/one.txt']) writeFileSync(join(bench.folder, name), '')
    expect(await offered('run', 'test.echo', 'text=@pa')).to.deep.equal(['text=@page.html', 'text=@papers/'])
    expect(await offered('run', 'test.echo', 'text=@papers/')).to.deep.equal(['text=@papers/one.txt'])
    expect(await complete('run', 'test.echo', '--out', 'pag')).to.deep.equal(['page.html'])
    expect(await complete('--config', '.h')).to.deep.equal(['.hidden'])
    expect(await complete('backup', 'pap')).to.deep.equal(['papers/'])
    expect(await complete('run', 'test.echo', 'text=@none/')).to.deep.equal([])
  })

  it('offers nothing of a gateway that is away, or does not answer within half a second', async () => {
    const silent = await listen(() => undefined)
    for (const url of ['http://127.0.0.1:1', silent.url, 'nonsense']) {
      const other = cliBench({ env: { CAPSTAN_URL: url } })
      const began = performance.now()
      const { code, out, err } = await other.run('completion', 'zsh', '--word=run', '--word=')
      expect({ code, out, err }, url).to.deep.equal({ code: 0, out: '', err: '' })
      expect(performance.now() - began, url).to.be.below(5_000)
      expect((await other.run('completion', 'zsh', '--word=ru')).out).to.equal('run\n')
      other.done()
    }
    await silent.close()
  })

  it('prints a script for bash, zsh and fish that completes from the words of the line', async () => {
    for (const [name, parts] of [
      ['bash', ['complete -F _capstan capstan', 'completion bash "${words[@]/#/--word=}"']],
      ['zsh', ['#compdef capstan', 'completion zsh "${(@)${(@Q)words[2,CURRENT]}/#/--word=}"']],
      ['fish', ["complete -c capstan -f -a '(__capstan_complete)'", 'completion fish --word=$words[2..-1] --word="$current"']],
    ] as const) {
      const { code, out } = await bench.run('completion', name)
      expect(code).to.equal(0)
      for (const part of parts) expect(out, name).to.contain(part)
    }
  })

  describe('in a shell', () => {
    let folder: string
    before(function () {
      needsProgram(this, 'bash')
      needsProgram(this, 'script')
    })
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'capstan-shell-'))
      writeFileSync(join(folder, 'capstan'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`)
      chmodSync(join(folder, 'capstan'), 0o755)
      writeFileSync(join(folder, 'my page.html'), '')
    })
    afterEach(() => rmSync(folder, { recursive: true, force: true }))

    it('bash completes a line as it is typed', async () => {
      const env = {
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        TERM: 'dumb',
        CAPSTAN_URL: gateway.url,
        HOME: folder,
        HISTFILE: '/dev/null',
        PS1: 'ready> ',
      }
      const shell = spawn('script', ['-qfc', 'bash --norc --noprofile -i', '/dev/null'], { cwd: folder, env })
      let out = ''
      shell.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
      const types = async (keys: string, wanted: string): Promise<void> => {
        out = ''
        shell.stdin.write(keys)
        // Where a busy machine let nothing be offered in time, a user presses the key again.
        for (let tries = 0; tries < 10 && keys.endsWith('\t') && !out.includes(wanted); tries++)
          await until(() => out.includes(wanted), 3_000).catch(() => shell.stdin.write('\t'))
        await until(() => out.includes(wanted)).catch(() => expect(out).to.contain(wanted))
      }
      try {
        await types("bind 'set bell-style none'; source <(capstan completion bash) && echo is\\ there\n", 'is there\r\n')
        await types('capstan ru\t', 'capstan run ')
        await types('test.e\t', 'test.echo ')
        await types('mo\t', 'mode=')
        await types('lo\t', 'loud ')
        await types('text=@my\t', 'my\\ page.html ')
        await types('\u0003', 'ready> ')
        await types('./capstan tools test.s\t', 'test.send ')
      } finally {
        // What the shell has started must end before its folder is removed.
        shell.stdin.write('\u0015exit\n')
        await until(() => shell.exitCode !== null, 10_000).catch(() => shell.kill('SIGKILL'))
        shell.stdin.destroy()
      }
    })
  })
})
