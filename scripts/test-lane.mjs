/**
 * One of the processes that run tests, `test-lane.mjs TIMEOUT_MS`: runs each spec file that its parent (scripts/test-lanes.mjs) names,
 * in a Mocha of its own, and sends back what came of it. It ends when its parent lets go of it, whatever a failed test has left open.
 */
import Mocha from 'mocha'
import 'reflect-metadata'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { clearLeftovers } from './leftovers.mjs'
import Reporter from './test-reporter.mjs'

const timeout = Number(process.argv[2])
const temporary = tmpdir()

// Mocha itself lets a rejection pass that nobody handles.
process.on('unhandledRejection', (reason) => {
  throw reason
})
process.on('disconnect', () => process.exit(0))
process.on('message', async ({ file }) => {
  const begun = performance.now()
  let report = null
  const mocha = new Mocha({ reporter: Reporter, reporterOptions: { done: (results) => (report = results) }, timeout, forbidOnly: true })
  mocha.addFile(resolve(file))
  try {
    await mocha.loadFilesAsync()
    await new Promise((over) => mocha.run(over))
    mocha.dispose()
  } catch (error) {
    const title = 'the file could not be loaded'
    report = { passed: 0, failed: [{ title, error: error?.stack ?? String(error) }], skipped: [], notMeasured: [] }
  }
  const left = await clearLeftovers(temporary)
  if (left.length > 0) report.failed.push({ title: 'the file left something in the folder for temporary files', error: left.join(' ') })
  process.send({ ...report, ms: performance.now() - begun })
})
