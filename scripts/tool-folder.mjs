/** What makes a folder of `.tools`: pip and npm as this machine has them, and a folder that is built beside and moved into its place when whole. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const PIP = ['-m', 'pip', '--disable-pip-version-check', '--no-input', '--quiet', '--retries', '2', '--timeout', '30']
/** Nothing but what is listed, and only as a wheel: building from source runs a package's own code. */
const EXACTLY = ['--no-deps', '--require-hashes', '--only-binary', ':all:']

/**
 * Installs exactly the wheels that a list names with their hashes. Answers whether that worked. Without bytecode each start of a program compiles what it
 * imports, since it may not write it: a start of yt-dlp takes 1.1 s of processor time then instead of 0.65 s. An engine starts once for many calls.
 */
export function pipInstall(python, { list, target, cwd, bytecode = true }) {
  const compiled = bytecode ? [] : ['--no-compile']
  return run(python, [...PIP, 'install', ...compiled, ...EXACTLY, '--target', target, '--requirement', list], cwd)
}

/** Downloads the wheel of one package into a folder, without running anything of it. Answers whether that worked. */
export function pipDownload(python, { spec, into, cwd }) {
  const pinned = spec.replace(/@(?=[^@]*$)/, '==')
  return run(python, [...PIP, 'download', '--no-deps', '--only-binary', ':all:', '--dest', into, pinned], cwd)
}

/** Downloads the archive of one npm package into a folder, without running anything of it. Answers whether that worked. */
export function npmDownload(npm, { spec, into, cwd }) {
  return run(npm, ['pack', spec, '--pack-destination', into, '--ignore-scripts', '--silent'], cwd, 'ignore')
}

/** An environment with pip in it; null, and the reason said, where none can be made. */
export function pipIn(folder, { python, cwd, say, name }) {
  if (run(python, ['-m', 'venv', folder], cwd)) return join(folder, 'bin', 'python')
  say(`${name}: ${python} -m venv failed: apt-get install python3-venv`)
  return null
}

/** Builds a folder of `.tools` beside its place and moves it there when `build` answers true; one in use goes on with the files it has open. */
export function buildFolder(root, name, build) {
  const tools = join(root, '.tools')
  const building = mkdtempSync(join(tools, `.new-${process.pid}-`))
  try {
    if (!build(building)) return false
    chmodSync(building, 0o755)
    const place = join(tools, name)
    const old = join(tools, `.old-${process.pid}-${name}`)
    if (existsSync(place)) renameSync(place, old)
    renameSync(building, place)
    rmSync(old, { recursive: true, force: true })
    return true
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}

/** Makes `.tools`, for users that programs in the sandbox run as too, and deletes what runs that were interrupted left. */
export function openTools(root) {
  process.umask(0o022)
  const tools = join(root, '.tools')
  mkdirSync(tools, { recursive: true })
  chmodSync(tools, 0o755)
  for (const name of readdirSync(tools)) {
    const pid = /^\.(?:new|old)-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(tools, name), { recursive: true, force: true })
  }
}

export function pythonBelowUsr() {
  return ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path)) ?? null
}

/** Runs a program to its end. Answers whether it ended well. */
export function run(program, args, cwd, out = 2) {
  // A shell with another environment active must not lead pip elsewhere.
  const env = { ...process.env }
  for (const name of ['PYTHONHOME', 'PYTHONPATH', 'VIRTUAL_ENV', 'PIP_TARGET', 'PIP_REQUIRE_VIRTUALENV', 'PIP_USER']) delete env[name]
  return spawnSync(program, args, { cwd, stdio: ['ignore', out, 2], env, timeout: 1_800_000 }).status === 0
}
