import { expect } from 'chai'
import { execFile, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { answersPlugin } from '../../support/answers-plugin.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import type { PluginFolder } from '../../support/loader.js'
import { needsProgram } from '../../support/needs.js'
import { CLI } from '../../support/served.js'

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function ended(program: string, args: readonly string[], options: { cwd: string; env: Record<string, string> }): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, options, (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }))
  })
}

describe('the command line as a process', function () {
  this.timeout(60_000)
  let plugins: PluginFolder
  let gateway: TestGateway
  let folder: string
  let env: Record<string, string>
  before(async function () {
    needsProgram(this, 'script')
    plugins = await answersPlugin()
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: plugins.path } })
  })
  after(async () => {
    await gateway?.close()
    await plugins?.remove()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-process-'))
    env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm', CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: gateway.key, CI: 'true' }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const line = (...words: string[]): string => [process.execPath, CLI, ...words].map((word) => `'${word}'`).join(' ')
  /** On a terminal of 80 columns; both streams are one. */
  const onTerminal = (more: Record<string, string>, ...words: string[]): Promise<Ended> =>
    ended('script', ['-qec', `stty cols 80; exec ${line(...words)}`, '/dev/null'], { cwd: folder, env: { ...env, ...more } })
  /** Bold, as the first line of a page is. */
  const colour = '\u001b[1m'

  it('shows colours and saves files on a terminal', async () => {
    const page = await onTerminal({}, 'tools', 'search')
    expect(page.code, page.out).to.equal(0)
    expect(page.out).to.contain(colour)
    const made = await onTerminal({}, 'run', 'answers.make', 'form=picture')
    expect(made.out)
      .to.contain('image_base64: (saved as answers-make.jpg)')
      .and.not.to.match(/[A-Za-z0-9+/]{200}/)
    expect(readdirSync(folder)).to.deep.equal(['answers-make.jpg'])
    expect((await onTerminal({}, 'run', 'answers.make', 'form=none')).code).to.equal(2)
  })

  it('shows none with NO_COLOR, on a dumb terminal, and in a pipe', async () => {
    expect((await onTerminal({ NO_COLOR: '1', CI: '' }, 'tools', 'search')).out)
      .to.contain('Search the web')
      .and.not.to.contain(colour)
    expect((await onTerminal({ TERM: 'dumb', CI: '' }, 'tools', 'search')).out)
      .to.contain('Search the web')
      .and.not.to.contain(colour)
    const piped = await ended(process.execPath, [CLI, 'tools', 'search'], { cwd: folder, env })
    expect(piped.out).to.contain('Search the web').and.not.to.contain('\u001b')
    expect(piped.err).to.equal('')
  })

  it('in a pipe prints JSON, without progress', async () => {
    const { code, out, err } = await ended(process.execPath, [CLI, 'run', 'answers.make', 'form=picture'], { cwd: folder, env })
    expect(code).to.equal(0)
    expect(JSON.parse(out)).to.have.nested.property('data.image_base64')
    expect(err).to.match(/^1 credit · [^\n]+\n$/)
    expect(readdirSync(folder)).to.deep.equal([])
  })

  it('ends quietly when the reader of a pipe has seen enough', async () => {
    const script = `${line('tools', '--json')} | head -c 20; echo " \${PIPESTATUS[0]}"`
    const { out, err } = await ended('bash', ['--norc', '-c', script], { cwd: folder, env })
    expect({ out, err }).to.deep.equal({ out: '{"capabilities":[{"i 0\n', err: '' })
  })

  it('reads nothing from standard input, which may stay open', async () => {
    const child = spawn(process.execPath, [CLI, 'run', 'answers.make', 'form=table'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
    const code = await new Promise((resolve) => child.on('close', resolve))
    child.stdin.destroy()
    expect(code).to.equal(0)
  })

  describe('by the file in the clone', () => {
    let clone: string
    beforeEach(() => {
      clone = join(folder, 'a clone')
      mkdirSync(join(clone, 'scripts'), { recursive: true })
      copyFileSync(join(packageRoot(), 'capstan'), join(clone, 'capstan'))
      chmodSync(join(clone, 'capstan'), statSync(join(packageRoot(), 'capstan')).mode)
      writeFileSync(
        join(clone, 'scripts', 'capstan.mjs'),
        'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))\nprocess.exit(7)\n',
      )
    })

    it('keeps the working folder, the words and the exit code, also through links', async () => {
      mkdirSync(join(folder, 'elsewhere'))
      symlinkSync(join(clone, 'capstan'), join(folder, 'elsewhere', 'capstan'))
      for (const [cwd, program] of [
        [clone, './capstan'],
        [join(folder, 'elsewhere'), '../a clone/capstan'],
        [join(folder, 'elsewhere'), './capstan'],
        [folder, join(clone, 'capstan')],
      ] as const) {
        const { code, out, err } = await ended(program, ['run', 'search', 'query=two  words', ''], { cwd, env })
        expect({ code, err }, program).to.deep.equal({ code: 7, err: '' })
        expect(JSON.parse(out), program).to.deep.equal([cwd, 'run', 'search', 'query=two  words', ''])
      }
    })
  })
})
