import { warmProgram } from '../../core/sdk/index.js'
import { RUN_ON_REQUEST } from './guest/python.js'
import { commandOf, DISK_MB, MEMORY_MB, MATPLOTLIBRC, PACKAGES_ENV, PROCESSES } from './program.js'

/** Variables of a program in any language without packages of its own. */
export const ENV = { ...PACKAGES_ENV, MATPLOTLIBRC }

/** Path of the runner, outside the program's module path. */
const RUNNER = '.warm/run.py'

/** Python, started before its program arrives. */
export const warmPython = warmProgram({
  id: 'code.python',
  program: commandOf('python').program,
  args: ['-u', '-B', RUNNER],
  ready: '/job/.tmp/up',
  job: 'itself',
  files: [{ name: RUNNER, text: RUN_ON_REQUEST }],
  env: ENV,
  memoryMb: MEMORY_MB,
  processes: PROCESSES,
  diskMb: DISK_MB,
})
