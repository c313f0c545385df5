import { warmProgram } from '../../core/sdk/index.js'
import { commandOf, DISK_MB, MEMORY_MB, PACKAGES_FOLDER, PROCESSES } from './program.js'

/** Where only the start looks for modules. */
const START_FOLDER = '/job/.warm'

/**
 * Python imports `sitecustomize` before it looks for the program (https://docs.python.org/3/library/site.html), so one that waits there for its
 * program runs it afterwards as it runs any: same paths, same module, same traces.
 */
const START = `import os, sys
open('/job/.tmp/up', 'w').close()
open('/job/.tmp/go').readline()
sys.path.remove('${START_FOLDER}')
os.environ['PYTHONPATH'] = '/job/${PACKAGES_FOLDER}'
`

/** Variables of a program in any language. */
export const ENV = { PYTHONPATH: `/job/${PACKAGES_FOLDER}`, MPLBACKEND: 'Agg' }

/** Python, started before its program comes. */
export const warmPython = warmProgram({
  id: 'code.python',
  ...commandOf('python'),
  ready: '/job/.tmp/up',
  job: 'itself',
  files: [{ name: `${START_FOLDER.slice('/job/'.length)}/sitecustomize.py`, text: START }],
  env: { ...ENV, PYTHONPATH: `${START_FOLDER}:${ENV.PYTHONPATH}` },
  memoryMb: MEMORY_MB,
  processes: PROCESSES,
  diskMb: DISK_MB,
})
