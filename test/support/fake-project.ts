import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'

/** Installs a compiler, and writes down that it did. */
const NPM = `import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules/typescript/bin', { recursive: true })
writeFileSync('node_modules/typescript/package.json', '{"name":"typescript","version":"1.0.0","main":"main.cjs"}')
writeFileSync('node_modules/typescript/main.cjs', \`const { appendFileSync, existsSync } = require('node:fs')
appendFileSync('strip.log', 'file\\\\n')
module.exports = {
  ModuleKind: { ESNext: 99, CommonJS: 1 },
  sys: { readFile: () => '{}' },
  readConfigFile: () => ({ config: {} }),
  convertCompilerOptionsFromJson: () => ({ options: {} }),
  transpileModule: (outputText) => {
    if (existsSync('broken')) throw new Error('a source cannot be read')
    return { outputText, sourceMapText: '{}' }
  },
}
\`)
writeFileSync('node_modules/typescript/bin/tsc', \`const { appendFileSync, cpSync, existsSync, mkdirSync, writeFileSync } = require('node:fs')
appendFileSync('tsc.log', 'build\\\\n')
if (existsSync('broken')) process.exit(2)
const out = process.argv[process.argv.indexOf('--outDir') + 1]
mkdirSync(out + '/scripts/capstan/cli', { recursive: true })
cpSync('scripts/capstan/cli/main.ts', out + '/scripts/capstan/cli/main.js')
writeFileSync(out + '/scripts/capstan/cli/main.js.map', '{"sources":["../../../../scripts/capstan/cli/main.ts"]}')
\`)
`

const BUNDLE = `import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync(process.argv[2] + '/bundle')
writeFileSync(process.argv[2] + '/bundle/modules.js', '')
writeFileSync(process.argv[2] + '/capstan.js', "await import('./scripts/capstan/cli/main.js')")
`

const MAIN = `if (process.argv.includes('wait')) {
  const timer = setInterval(() => {}, 1000)
  process.on('SIGTERM', () => { clearInterval(timer); process.exitCode = 7 })
}
process.stdout.write(JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), pid: process.pid }) + '\\n')
`

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A project of a few files, in a folder with a space, whose npm and compiler are fakes that count their runs. */
export interface FakeProject {
  readonly folder: string
  run(script: string, args: readonly string[], cwd?: string): Promise<Run>
  spawn(script: string, args: readonly string[], cwd?: string): ChildProcess
  write(path: string, text: string): void
  /** How often npm, the compiler with its checks, and the threads of the quick build ran. */
  counts(): { npm: number; tsc: number; strip: number }
  done(): void
}

export function fakeProject(): FakeProject {
  const parent = mkdtempSync(join(tmpdir(), 'capstan scripts '))
  const folder = join(parent, 'a clone')
  mkdirSync(folder)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const scripts = join(packageRoot(), 'scripts')
  cpSync(scripts, join(folder, 'scripts'), { recursive: true, filter: (path) => path !== join(scripts, 'capstan') })
  write('package.json', JSON.stringify({ type: 'module', engines: { node: '>=20.19.0' } }))
  write('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/typescript': { version: '1.0.0' } } }))
  write('tsconfig.json', '{}')
  write('scripts/capstan/cli/main.ts', MAIN)
  write('scripts/bundle.mjs', BUNDLE)
  write('npm/npm-cli.js', NPM)
  write('npm/package.json', '{"type":"module"}')
  const start = (script: string, args: readonly string[], cwd = parent): ChildProcess =>
    spawn(process.execPath, [join(folder, 'scripts', script), ...args], {
      cwd,
      env: { PATH: process.env['PATH'], npm_execpath: join(folder, 'npm', 'npm-cli.js') },
    })
  const lines = (file: string): number =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim().split('\n').length : 0
  return {
    folder,
    write,
    spawn: start,
    run: (script, args, cwd) =>
      new Promise((resolve, reject) => {
        const child = start(script, args, cwd)
        let out = ''
        let err = ''
        child.stdout?.on('data', (chunk) => (out += String(chunk)))
        child.stderr?.on('data', (chunk) => (err += String(chunk)))
        child.on('error', reject)
        child.on('close', (code) => resolve({ code, out, err }))
      }),
    counts: () => ({ npm: lines('npm.log'), tsc: lines('tsc.log'), strip: lines('strip.log') }),
    done: () => rmSync(parent, { recursive: true, force: true }),
  }
}
