/** Python packages of the tests, in the project's own virtual environment: a server of MongoDB's protocol, and what clients/python is tested with. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root as project } from './prepare.mjs'

const INSTEAD = 'name a program with CAPSTAN_TEST_SECANTUSD, or a server with CAPSTAN_TEST_MONGODB=mongodb://…'

/**
 * Makes `.venv` and installs test/requirements.txt into it, unless that was done before. Answers whether they are there; says
 * what is missing when not.
 */
export function providePython(say, { root = project, python = systemPython() } = {}) {
  const folder = join(root, '.venv')
  const wanted = stampOf(root, python)
  const stamp = join(folder, '.capstan-stamp')
  if (existsSync(join(folder, 'bin', 'secantusd-py')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  if (python === null) return missing(say, 'python3 is not installed')
  say('installing test/requirements.txt into .venv for the tests of the MongoDB store and of the Python client (once)')
  // An environment of ours that has become stale is emptied; one that somebody else made keeps what is in it.
  const clear = existsSync(stamp) ? ['--clear'] : []
  if (!run(python, ['-m', 'venv', ...clear, folder], root))
    return missing(say, `${python} -m venv failed (on Debian: apt-get install python3-venv)`)
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '--retries', '2', '--timeout', '20']
  const exactly = ['--no-deps', '--only-binary', ':all:', '--requirement', join(root, 'test', 'requirements.txt')]
  if (!run(join(folder, 'bin', 'python'), [...pip, ...exactly], root))
    return missing(say, 'pip could not install test/requirements.txt: is the package registry reachable, and is this Python 3.11 or newer?')
  writeFileSync(stamp, wanted)
  return true
}

function missing(say, why) {
  say(`${why}; the tests that need a MongoDB server and those of the Python client skip. Mend it, or for the former ${INSTEAD}`)
  return false
}

/** Changes with the requirements, the place of the clone (scripts in an environment name it) and the Python below. */
function stampOf(root, python) {
  const requirements = readFileSync(join(root, 'test', 'requirements.txt'))
  const base = python === null ? '' : realpathSync(python)
  return createHash('sha256')
    .update(requirements)
    .update(`\0${realpathSync(root)}\0${base}`)
    .digest('hex')
}

/** Debian's own Python when it is there, so that apt's python3-venv belongs to it; else the first on the PATH. */
function systemPython() {
  if (existsSync('/usr/bin/python3')) return '/usr/bin/python3'
  const found = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'python3'))
  return found.find((path) => path.startsWith('/') && existsSync(path)) ?? null
}

function run(program, args, cwd) {
  // A shell with another environment active must not lead pip elsewhere.
  const env = { ...process.env }
  for (const name of ['PYTHONHOME', 'PYTHONPATH', 'VIRTUAL_ENV']) delete env[name]
  return spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2], env, timeout: 300_000 }).status === 0
}
