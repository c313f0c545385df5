import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { complaints, imageFault, textOf, unknownVariables } from './files.js'

interface Instruction {
  readonly name: string
  readonly rest: string
  /** Counted from 0. */
  readonly stage: number
}

function instructions(text: string): Instruction[] {
  let stage = -1
  return text
    .replace(/^\s*#.*$/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^\s*([A-Z]+)\s+(.*)$/.exec(line) ?? []
      if (name === 'FROM') stage++
      return { name, rest: rest.trim().replace(/\s+/g, ' '), stage }
    })
}

describe('the Dockerfile', () => {
  const all = instructions(textOf('Dockerfile'))
  const last = all.at(-1)?.stage ?? 0
  const of = (name: string, stage?: number): string[] =>
    all.filter((each) => each.name === name && (stage === undefined || each.stage === stage)).map(({ rest }) => rest)

  it('builds on one pinned image that fits the engines of the package, in stages', () => {
    const images = of('FROM').map((rest) => rest.split(' ')[0] ?? '')
    expect(images.map(imageFault)).to.deep.equal(images.map(() => null))
    expect(new Set(images).size).to.equal(1)
    expect(images.length).to.be.above(2)
    const [, major, minor] = /^node:(\d+)\.(\d+)\.\d+-bookworm-slim$/.exec(images[0] ?? '') ?? []
    const [, wantedMajor, wantedMinor] = /(\d+)\.(\d+)/.exec(/"node": "([^"]+)"/.exec(textOf('package.json'))?.[1] ?? '') ?? []
    expect(Number(major)).to.equal(Number(wantedMajor))
    expect(Number(minor)).to.be.at.least(Number(wantedMinor))
  })

  it('runs as a user that is not root, by number, and stays so', () => {
    expect(of('USER', last)).to.have.length(1)
    expect(of('USER', last)[0]).to.match(/^[1-9]\d*:[1-9]\d*$/)
    const user = all.findIndex(({ name, stage }) => name === 'USER' && stage === last)
    expect(all.slice(user).some(({ name }) => name === 'RUN' || name === 'COPY')).to.equal(false)
  })

  it('carries production dependencies alone', () => {
    const copied = of('COPY', last).find((rest) => rest.includes('node_modules')) ?? ''
    expect(copied).to.match(/^--from=dependencies /)
    const stage = all.find(({ name, rest }) => name === 'FROM' && rest.endsWith(' AS dependencies'))?.stage
    expect(of('RUN', stage)).to.deep.equal(['npm ci --omit=dev --ignore-scripts'])
    expect(of('COPY', last).filter((rest) => !rest.startsWith('--from'))).to.deep.equal(['LICENSE ./'])
  })

  it('holds no secret, copies no whole folder and fetches nothing by itself', () => {
    for (const { name, rest } of all) {
      expect(name, rest).not.to.equal('ADD')
      if (name === 'ENV' || name === 'ARG') expect(rest).not.to.match(/secret|token|password|_key/i)
      if (name === 'COPY') expect(rest.split(' ').slice(0, -1), rest).not.to.include('.')
      expect(rest).not.to.match(/curl|wget|git clone|sudo|chmod (?:-R )?777|:latest/)
    }
  })

  it('installs system tools in one layer that leaves no lists behind, the ones of the development machine among them', async () => {
    const [run = '', ...more] = of('RUN', last).filter((rest) => rest.includes('apt-get'))
    expect(more).to.deep.equal([])
    expect(run).to.match(/^apt-get update && apt-get install -y --no-install-recommends .*&& rm -rf \/var\/lib\/apt\/lists\/\*/)
    const { PACKAGES } = (await import(join(packageRoot(), 'scripts', 'system-tools.mjs'))) as { PACKAGES: Record<string, string> }
    for (const name of ['bubblewrap', 'chromium-headless-shell', 'fonts-dejavu-core']) {
      expect(PACKAGES, 'the tools of scripts/system-tools.mjs').to.have.property(name)
      expect(run.split(' ')).to.include(name)
    }
  })

  it('brings the engine packs that the build names, none by default, with the programs that they need', () => {
    const stage = all.find(({ name, rest }) => name === 'FROM' && rest.endsWith(' AS packs'))?.stage
    const [run = '', ...more] = of('RUN', stage)
    expect(more).to.deep.equal([])
    expect([of('ARG', stage), of('ARG', last).filter((rest) => rest.startsWith('PACKS'))]).to.deep.equal([['PACKS=""'], ['PACKS=""']])
    expect(of('COPY', last)).to.include('--from=packs /app/.tools ./.tools')
    expect(of('WORKDIR', stage)).to.deep.equal(of('WORKDIR', last))
    expect(shell(run, '')).to.deep.equal(['mkdir .tools'])
    expect(shell(run, 'voice cutout').slice(1)).to.deep.equal([
      'apt-get update',
      'apt-get install -y --no-install-recommends ca-certificates python3 python3-venv',
      'node scripts/tools.mjs voice cutout',
    ])
    const installed = (packs: string): string =>
      shell(of('RUN', last)[0] ?? '', packs).find((line) => line.startsWith('apt-get install')) ?? ''
    expect([installed('').split(' ').includes('python3'), installed('voice').split(' ').includes('python3')]).to.deep.equal([false, true])
    for (const name of ['tools', 'packs', 'pack-manifest', 'tool-folder', 'prepare', 'prepare-lock'])
      for (const [, from = ''] of textOf(`scripts/${name}.mjs`).matchAll(/ from '([^']+)'$/gm))
        expect(from, name).to.match(/^(?:node:|\.\/)/)
  })

  /** The commands of a layer, each as it would be run: here they print themselves. */
  function shell(command: string, packs: string): string[] {
    const names = ['mkdir', 'apt_get', 'node', 'rm', 'groupadd', 'useradd', 'install', 'chmod']
    const printing = names.map((name) => `${name}() { echo "${name.replace('_', '-')} $*"; }`)
    const safe = command.replaceAll('apt-get ', 'apt_get ').replace(/ > \S+/g, '')
    const { stdout, status, stderr } = spawnSync('/bin/sh', ['-ec', [...printing, safe].join('\n')], {
      env: { PATH: '', PACKS: packs },
      encoding: 'utf8',
    })
    expect(status, stderr).to.equal(0)
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.trim())
  }

  it('copies what is there, and what .dockerignore lets through', () => {
    const [everything, ...rules] = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(everything).to.equal('*')
    const passed = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1))
    const sources = of('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1))
    for (const source of sources) {
      expect(existsSync(join(packageRoot(), source)), source).to.equal(true)
      expect(passed).to.include(source)
    }
    expect([...new Set(sources)].sort()).to.deep.equal(passed.sort(), 'nothing goes to the builder that it does not read')
    for (const rule of ['**/node_modules', '**/.env*', '**/data']) expect(rules.lastIndexOf(rule), rule).to.be.above(passed.length - 1)
  })

  it('sets variables that settings have, to values they take', () => {
    expect(unknownVariables(textOf('Dockerfile'))).to.deep.equal([])
    const env = Object.fromEntries(of('ENV', last).flatMap((rest) => rest.split(' ').map((pair) => pair.split('='))) as [string, string][])
    expect(env).to.deep.include({ NODE_ENV: 'production', CAPSTAN_DATA: '/data' })
    expect(complaints(env)).to.deep.equal([])
    expect(of('EXPOSE', last)).to.deep.equal([env['CAPSTAN_PORT']])
  })

  it('has an init for the processes of sandboxes, and passes signals to the gateway', () => {
    expect(of('ENTRYPOINT', last).join()).to.match(/^\["tini", "--", "node", (?:"--[a-z0-9=-]+", )*"\/app\/dist\/capstan.js"]$/)
    expect(JSON.parse(of('CMD', last)[0] ?? '')).to.deep.equal(['serve', '--json'])
    expect(existsSync(join(packageRoot(), 'dist', 'capstan.js'))).to.equal(true)
  })

  for (const [status, code] of [
    [200, 0],
    [503, 1],
  ] as const)
    it(`its health check ends with ${code} when /readyz answers ${status}`, async () => {
      const paths: string[] = []
      const server = createServer((request, response) => {
        paths.push(request.url ?? '')
        response.writeHead(status).end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      try {
        expect(await health((server.address() as AddressInfo).port)).to.equal(code)
        expect(paths).to.deep.equal(['/readyz'])
      } finally {
        await new Promise((resolve) => server.close(resolve))
      }
    })

  it('its health check ends with 1 when nothing listens', async () => {
    expect(await health(1)).to.equal(1)
  })

  function health(port: number): Promise<number | null> {
    const [, list = '[]'] = /CMD (\[.*\])$/.exec(of('HEALTHCHECK', last)[0] ?? '') ?? []
    const [program, ...args] = JSON.parse(list) as string[]
    expect(program).to.equal('node')
    const child = spawn(process.execPath, args, { env: { CAPSTAN_PORT: String(port) }, stdio: 'ignore' })
    return new Promise((resolve) => child.on('exit', resolve))
  }
})
