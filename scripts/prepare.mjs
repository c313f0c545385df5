/**
 * What has to be there before anything of the project can run: a fitting Node, the locked dependencies, the build.
 * Plain JavaScript without dependencies, because it runs before the install. Everything it says goes to standard error.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { exclusively } from './prepare-lock.mjs'

/** Folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const SOURCES = ['core', 'plugins', 'config', 'test', 'scripts', join('clients', 'typescript', 'src')]
const STAGE = join(root, '.build', 'dist')
/** Where the build without types and tests is made. */
const QUICK_STAGE = join(root, '.build', 'start')

/** A failure that was explained already: the caller ends with its code. */
export class Stop extends Error {
  constructor(message, code = 1) {
    super(message)
    this.code = code
  }
}

/**
 * Installs what is missing and builds what is stale, one process at a time; returns the folder of the build. With `checked: false` types are only
 * taken out and tests are left out, which takes seconds instead of a minute or two; a build that was checked will do as well.
 */
export async function prepare({ checked = true } = {}) {
  checkNode()
  if (!installed() || !built(checked)) await exclusively(join(root, '.build', 'prepare.lock'), () => prepareNow(checked))
  return join(root, 'dist')
}

/** Installs what is missing of the locked dependencies, one process at a time. */
export async function provideDependencies() {
  checkNode()
  if (!installed()) await exclusively(join(root, '.build', 'prepare.lock'), async () => installed() || (await install()))
}

async function prepareNow(checked) {
  if (!installed()) await install()
  if (!built(checked)) await build(checked)
}

/** Says in one sentence which Node is needed when this one is too old. */
export function checkNode(version = process.versions.node) {
  const wanted = /(\d+)\.(\d+)/.exec(readJson(join(root, 'package.json')).engines.node)
  const [major, minor] = version.split('.').map(Number)
  if (major > Number(wanted[1]) || (major === Number(wanted[1]) && minor >= Number(wanted[2]))) return
  throw new Stop(
    `Capstan needs Node ${wanted[1]}.${wanted[2]} or newer, and this is Node ${version}: install a newer one from https://nodejs.org and start again.`,
  )
}

function installed() {
  const wanted = hashOf(readFileSync(join(root, 'package-lock.json')))
  const marker = join(root, 'node_modules', '.capstan-lock')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return true
  return asLocked()
}

/** True when someone installed by hand exactly what the lock file says, by the record that npm keeps of an install. */
function asLocked() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const there = readJson(record).packages
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(
    ([path, entry]) =>
      path === '' ||
      (there[path] === undefined
        ? entry.optional === true
        : there[path].version === entry.version && there[path].integrity === entry.integrity),
  )
}

async function install() {
  const folder = join(root, 'node_modules')
  // npm empties what the link leads to, which is some other project's install.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Stop(
      `${folder} is a link and does not hold what package-lock.json says: remove the link and start again, or install where it leads to.`,
    )
  }
  say('installing the locked packages with npm: about a minute, once and when they change')
  // Packages bring their binaries with them; a script of one would run with the rights of whoever starts the gateway.
  await run('npm ci', ...npm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']))
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(join(root, 'node_modules', '.capstan-lock'), hashOf(readFileSync(join(root, 'package-lock.json'))))
}

/** npm as a program and its arguments: the one that runs this script, the one beside this Node, or the one on the PATH. */
function npm(args) {
  const beside = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  const script = [process.env.npm_execpath, beside].find((path) => path !== undefined && path.endsWith('npm-cli.js') && existsSync(path))
  return script === undefined ? ['npm', args] : [process.execPath, [script, ...args]]
}

/** `dist/.stamp` holds the hash of the sources, and `unchecked` behind it where types were only taken out. */
function built(checked) {
  const stamp = join(root, 'dist', '.stamp')
  if (!existsSync(stamp)) return false
  const [hash, kind] = readFileSync(stamp, 'utf8').split(' ')
  return hash === sourceHash() && (!checked || kind === undefined)
}

/** Builds beside the old build and swaps when everything is there, so that `dist` is complete or absent. */
async function build(checked) {
  const hash = sourceHash()
  const stage = checked ? STAGE : QUICK_STAGE
  mkdirSync(stage, { recursive: true })
  const started = performance.now()
  if (checked) await compile()
  else await stripTypes()
  dropOrphans(stage)
  const fresh = join(root, '.build', `dist-${process.pid}`)
  copyBuild(stage, fresh)
  await run('the build', process.execPath, [join(root, 'scripts', 'bundle.mjs'), fresh])
  writeFileSync(join(fresh, '.stamp'), checked ? hash : `${hash} unchecked`)
  const old = join(root, '.build', `dist-old-${process.pid}`)
  if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old)
  renameSync(fresh, join(root, 'dist'))
  rmSync(old, { recursive: true, force: true })
  say(`built in ${Math.round((performance.now() - started) / 1000)} s`)
}

async function compile() {
  say('checking types and building: a minute or two, once and when sources change')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = ['-p', join(root, 'tsconfig.json'), '--outDir', STAGE, '--incremental', '--tsBuildInfoFile', join(STAGE, '.tsbuildinfo')]
  await run('the build', process.execPath, [tsc, ...options])
}

async function stripTypes() {
  say('building: about 20 seconds, once and when sources change')
  await run('the build', process.execPath, [join(root, 'scripts', 'strip-types.mjs'), QUICK_STAGE])
}

/** Copies the build one folder up: its source maps must then lead one folder less up to the sources. */
function copyBuild(from, to) {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyBuild(source, target)
    else if (/\.c?js\.map$/.test(entry.name)) writeFileSync(target, readFileSync(source, 'utf8').replace('"sources":["../', '"sources":["'))
    else if (!entry.name.startsWith('.')) copyFileSync(source, target)
  }
}

/** Removes the output of sources that are gone: plugins are found by their files being there. */
function dropOrphans(stage, folder = stage) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      dropOrphans(stage, path)
      if (readdirSync(path).length === 0) rmSync(path, { recursive: true })
    } else {
      const source = join(root, relative(stage, path)).replace(
        /\.(?:d\.(c?)ts|(c?)js|(c?)js\.map)$/,
        (_end, ...c) => `.${c[0] ?? c[1] ?? c[2]}ts`,
      )
      if (source.endsWith('ts') && !existsSync(source)) rmSync(path)
    }
  }
}

/** Changes with every source that the compiler reads, with the compiler's own version and with how its output is bundled. */
function sourceHash() {
  const hash = createHash('sha256')
  for (const file of [
    join(root, 'tsconfig.json'),
    join(root, 'package-lock.json'),
    join(root, 'scripts', 'bundle.mjs'),
    ...SOURCES.flatMap((folder) => typescript(join(root, folder))),
  ]) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function typescript(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? typescript(join(folder, entry.name)) : entry.name.endsWith('.ts') ? [join(folder, entry.name)] : [],
    )
}

/** Runs a program with its output on standard error; stops it when this process is stopped. */
export function run(what, program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2] })
    const stop = (signal) => {
      child.kill(signal)
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
    const done = (settle) => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      settle()
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
    child.on('error', (error) => done(() => reject(new Stop(`${what} could not start: ${error.message}`))))
    child.on('exit', (code, signal) =>
      done(() => (code === 0 ? resolve() : reject(new Stop(`${what} failed (${signal ?? `exit code ${code}`}); its output is above.`)))),
    )
  })
}

/** Becomes the command line of a build. */
export async function commandLine(built) {
  const load = (file) => import(pathToFileURL(join(built, file)).href)
  await load(join('bundle', 'modules.js'))
  // Only now, for modules of plugins: Node would keep the map of the bundle, some 9 MiB.
  process.setSourceMapsEnabled(true)
  await load('capstan.js')
}

/** Ends the process with the sentence of a Stop; anything else is a fault of ours and keeps its stack. */
export function fail(error) {
  if (!(error instanceof Stop)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(error.code)
}

function say(text) {
  process.stderr.write(`capstan: ${text}\n`)
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
