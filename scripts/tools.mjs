/**
 * What the project brings into its own `.tools`: Python tools that Debian lacks or has too old (`npm run tools`, `npm run tools -- yt-dlp`), and engine packs
 * (`npm run tools -- cutout`, `-- engines` for all, `-- PATH.json` for one of another plugin).
 */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringPack, isPackCurrent, packsOf } from './packs.mjs'
import { root as project } from './prepare.mjs'
import { buildFolder, openTools, pipIn, pipInstall, pythonBelowUsr, run } from './tool-folder.mjs'

const STAMP = 'stamp'

/** Names of the tools there are lists for. */
export function toolNames(root = project) {
  return readdirSync(join(root, 'scripts', 'tools'))
    .filter((name) => name.endsWith('.txt'))
    .map((name) => name.slice(0, -4))
    .sort()
}

/**
 * Makes tools and brings packs that are missing or not as their lists say; all tools where none is named. Answers whether all are there then; says what
 * failed and what mends it.
 */
export function provideTools(names, say, { root = project, python = pythonBelowUsr(), npm = 'npm', env = process.env } = {}) {
  const known = toolNames(root)
  const files = names.filter((name) => name.endsWith('.json'))
  const packs = packsOf(root, say, { files, env })
  const byFile = new Map([...packs.values()].map((pack) => [pack.file, pack.id]))
  const wanted = [...new Set(names.flatMap((name) => (name === 'engines' ? [...packs.keys()] : [byFile.get(resolve(name)) ?? name])))]
  const unknown = wanted.filter((name) => !known.includes(name) && !packs.has(name))
  if (unknown.length > 0) {
    const engines = packs.size === 0 ? '' : `, and the engine packs ${[...packs.keys()].join(', ')}`
    say(`there is no tool ${unknown.join(', ')}; there are ${known.join(', ')}${engines}`)
    return false
  }
  const parts = (wanted.length > 0 ? wanted : known).map((name) => partOf(name, { pack: packs.get(name), root, python, npm, say }))
  for (const { name, current } of parts) if (current()) say(`${name} is there already`)
  const missing = parts.filter(({ current }) => !current())
  if (missing.length === 0) return true
  openTools(root)
  // One after the other, all of them, also after one that failed.
  return missing.map(({ make }) => make()).every(Boolean)
}

function partOf(name, { pack, ...options }) {
  if (pack !== undefined) return { name, current: () => isPackCurrent(pack, options), make: () => bringPack(pack, options) }
  return { name, current: () => isCurrent(name, options), make: () => make(name, options) }
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

function make(name, { root, python, say }) {
  if (python === null) {
    say('python3 is not installed below /usr, where programs in the sandbox see it: apt-get install python3-venv')
    return false
  }
  const place = join(root, '.tools', name)
  return buildFolder(root, name, (building) => {
    say(`making ${name}: an environment for pip`)
    const folder = join(building, 'pip')
    const pip = pipIn(folder, { python, cwd: root, say, name })
    if (pip === null) return false
    say(`making ${name}: its packages`)
    const target = join(building, 'lib')
    if (!pipInstall(pip, { list: join(root, 'scripts', 'tools', `${name}.txt`), target, cwd: root })) {
      say(`${name}: pip could not install what scripts/tools/${name}.txt lists.`)
      say(
        'Is the package registry reachable, is this machine x86-64 or ARM64 with Python 3.11 or 3.13, and is there room on the disk? Then: npm run tools',
      )
      return false
    }
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(building, 'bin'))
    movePrograms(join(target, 'bin'), join(building, 'bin'))
    const program = join(building, 'bin', name)
    writeFileSync(program, programOf(name, { root, python, target }), { mode: 0o755 })
    writeFileSync(join(building, STAMP), stampOf(name, { root, python }))
    if (!run(program, ['--help'], root, 'ignore')) {
      say(`${name}: it is installed but does not start: ${program.replace(building, place)} --help`)
      return false
    }
    say(`${name} is made`)
    return true
  })
}

/** Moves the programs that packages bring, such as Deno, and deletes the scripts that pip made for Python's entry points: they name the environment of pip. */
function movePrograms(from, to) {
  const names = existsSync(from) ? readdirSync(from) : []
  for (const name of names.filter((each) => readFileSync(join(from, each)).toString('latin1', 0, 2) !== '#!')) {
    renameSync(join(from, name), join(to, name))
    chmodSync(join(to, name), 0o755)
  }
  rmSync(from, { recursive: true, force: true })
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

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const done = provideTools(process.argv.slice(2), (line) => console.error(`capstan: ${line}`))
  process.exitCode = done ? 0 : 1
}
