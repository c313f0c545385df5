/** Python tools that Debian lacks or has too old, in the project's own `.tools`: `npm run tools`, `npm run tools -- yt-dlp`. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root as project } from './prepare.mjs'

const STAMP = 'stamp'
const PIP = [
  '-m',
  'pip',
  'install',
  '--quiet',
  '--disable-pip-version-check',
  '--no-input',
  '--no-compile',
  '--retries',
  '2',
  '--timeout',
  '30',
]
/** Nothing but what is listed, and only as a wheel with one of the hashes listed. */
const EXACTLY = ['--no-deps', '--require-hashes', '--only-binary', ':all:']

/** Names of the tools there are lists for. */
export function toolNames(root = project) {
  return readdirSync(join(root, 'scripts', 'tools'))
    .filter((name) => name.endsWith('.txt'))
    .map((name) => name.slice(0, -4))
    .sort()
}

/** Makes tools that are missing or not as their lists say. Answers whether all are there then; says what failed and what mends it. */
export function provideTools(names, say, { root = project, python = pythonBelowUsr() } = {}) {
  const known = toolNames(root)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    say(`there is no tool ${unknown.join(', ')}; there are ${known.join(', ')}`)
    return false
  }
  const wanted = names.length > 0 ? names : known
  const missing = wanted.filter((name) => !isCurrent(name, { root, python }))
  for (const name of wanted) if (!missing.includes(name)) say(`${name} is there already`)
  if (missing.length === 0) return true
  if (python === null) {
    say('python3 is not installed below /usr, where programs in the sandbox see it: apt-get install python3-venv')
    return false
  }
  process.umask(0o022)
  mkdirSync(join(root, '.tools'), { recursive: true })
  // Also for users that programs in the sandbox run as.
  chmodSync(join(root, '.tools'), 0o755)
  sweep(join(root, '.tools'))
  // One after the other, all of them, also after one that failed.
  return missing.map((name) => make(name, { root, python, say })).every(Boolean)
}

function isCurrent(name, { root, python }) {
  const folder = join(root, '.tools', name)
  const stamp = join(folder, STAMP)
  return existsSync(join(folder, 'bin', name)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(name, { root, python })
}

/** Changes with the list, this script, the tool's own program and the Python below. */
function stampOf(name, { root, python }) {
  const own = join(root, 'scripts', 'tools', `${name}.py`)
  const sources = [join(root, 'scripts', 'tools', `${name}.txt`), fileURLToPath(import.meta.url), ...(existsSync(own) ? [own] : [])]
  const hash = createHash('sha256')
  for (const source of sources) hash.update(readFileSync(source)).update('\0')
  return hash.update(python === null ? '' : realpathSync(python)).digest('hex')
}

/** Built beside and moved into its place when it is whole; one in use goes on with the files it has open. */
function make(name, { root, python, say }) {
  const tools = join(root, '.tools')
  const building = mkdtempSync(join(tools, `.new-${process.pid}-`))
  try {
    say(`making ${name}: an environment for pip`)
    const pip = join(building, 'pip')
    if (!run(python, ['-m', 'venv', pip], root)) {
      say(`${name}: ${python} -m venv failed: apt-get install python3-venv`)
      return false
    }
    say(`making ${name}: its packages`)
    const target = join(building, 'lib')
    const list = join(root, 'scripts', 'tools', `${name}.txt`)
    if (!run(join(pip, 'bin', 'python'), [...PIP, ...EXACTLY, '--target', target, '--requirement', list], root)) {
      say(`${name}: pip could not install what scripts/tools/${name}.txt lists.`)
      say(
        'Is the package registry reachable, is this machine x86-64 or ARM64 with Python 3.11 or 3.13, and is there room on the disk? Then: npm run tools',
      )
      return false
    }
    rmSync(pip, { recursive: true, force: true })
    rmSync(join(target, 'bin'), { recursive: true, force: true })
    mkdirSync(join(building, 'bin'))
    const program = join(building, 'bin', name)
    writeFileSync(program, programOf(name, { root, python, target }), { mode: 0o755 })
    writeFileSync(join(building, STAMP), stampOf(name, { root, python }))
    chmodSync(building, 0o755)
    if (!run(program, ['--help'], root, 'ignore')) {
      say(`${name}: it is installed but does not start: ${program.replace(building, join(tools, name))} --help`)
      return false
    }
    const place = join(tools, name)
    const old = join(tools, `.old-${process.pid}-${name}`)
    if (existsSync(place)) renameSync(place, old)
    renameSync(building, place)
    rmSync(old, { recursive: true, force: true })
    say(`${name} is made`)
    return true
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}

/** A program that finds its packages beside it, wherever the folder is moved; nothing of the user's environment leads it elsewhere. */
function programOf(name, { root, python, target }) {
  const own = join(root, 'scripts', 'tools', `${name}.py`)
  const body = existsSync(own) ? readFileSync(own, 'utf8') : entryOf(name, target)
  return `#!${python} -IB
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), 'lib'))
sys.argv[0] = '${name}'
${body}`
}

/** What pip would have made of the package's entry point (entry points specification: `name = module:function`). */
function entryOf(name, target) {
  for (const info of readdirSync(target).filter((each) => each.endsWith('.dist-info'))) {
    const file = join(target, info, 'entry_points.txt')
    const [, module, call] = (existsSync(file) && new RegExp(`^${name} *= *([\\w.]+):(\\w+)`, 'm').exec(readFileSync(file, 'utf8'))) || []
    if (module !== undefined) return `from ${module} import ${call}\nsys.exit(${call}())\n`
  }
  throw new Error(`none of the packages of ${name} has a program of that name`)
}

/** Deletes what runs that were interrupted left. */
function sweep(tools) {
  for (const name of readdirSync(tools)) {
    const pid = /^\.(?:new|old)-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(tools, name), { recursive: true, force: true })
  }
}

function pythonBelowUsr() {
  return ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path)) ?? null
}

function run(program, args, cwd, out = 2) {
  // A shell with another environment active must not lead pip elsewhere.
  const env = { ...process.env }
  for (const name of ['PYTHONHOME', 'PYTHONPATH', 'VIRTUAL_ENV', 'PIP_TARGET', 'PIP_REQUIRE_VIRTUALENV', 'PIP_USER']) delete env[name]
  return spawnSync(program, args, { cwd, stdio: ['ignore', out, 2], env, timeout: 1_800_000 }).status === 0
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const done = provideTools(process.argv.slice(2), (line) => console.error(`capstan: ${line}`))
  process.exitCode = done ? 0 : 1
}
