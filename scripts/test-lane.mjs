/**
 * One of the processes that run tests, `test-lane.mjs TIMEOUT_MS`: runs each spec file that its parent (scripts/test-lanes.mjs) names,
 * in a Mocha of its own; with `only`, the tests alone whose full titles contain one of these phrases. It says when tests end, and at the end
 * what came of the file, with its milliseconds and those of processor time. It ends when its parent lets go of it, whatever a failed test has
 * left open.
 */
import Mocha from 'mocha'
import 'reflect-metadata'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { clearLeftovers } from './leftovers.mjs'
import Reporter from './test-reporter.mjs'

const timeout = Number(process.argv[2])
const temporary = tmpdir()
/** Where Linux says what a process and its ended children have used. */
const STAT = '/proc/self/stat'
/** Milliseconds of the unit in which it does: 100 a second for every program. */
const TICK_MS = 10
const PROGRESS_MS = 1_000
// Taken here, before a test puts a clock of its own in its place.
const now = performance.now.bind(performance)
let reportedAt = -PROGRESS_MS

// Mocha itself lets a rejection pass that nobody handles.
process.on('unhandledRejection', (reason) => {
  throw reason
})
process.on('disconnect', () => process.exit(0))
process.on('message', async ({ file, only = null }) => {
  const [begun, used] = [performance.now(), processorMs()]
  let report = null
  let chosen = { left: 0, failed: [] }
  const reporterOptions = { done: (results) => (report = results), progress }
  const mocha = new Mocha({ reporter: Reporter, reporterOptions, timeout, forbidOnly: true })
  mocha.addFile(resolve(file))
  try {
    await mocha.loadFilesAsync()
    if (only !== null) chosen = choose(mocha, only)
    await new Promise((over) => mocha.run(over))
    mocha.dispose()
  } catch (error) {
    const title = 'the file could not be loaded'
    report = { passed: 0, failed: [{ title, error: error?.stack ?? String(error) }], skipped: [], notMeasured: [] }
  }
  const left = await clearLeftovers(temporary)
  if (left.length > 0) report.failed.push({ title: 'the file left something in the folder for temporary files', error: left.join(' ') })
  report.failed.push(...chosen.failed)
  process.send({ ...report, left: chosen.left, ms: performance.now() - begun, cpuMs: processorMs() - used })
})

/** Reports to the parent, at most once a second, that a test has ended. */
function progress() {
  if (now() - reportedAt < PROGRESS_MS) return
  reportedAt = now()
  process.send({ progress: true })
}

/**
 * Milliseconds of processor time of this process, its threads and its children that have ended; elsewhere than on Linux without the children.
 * What programs in a sandbox used that was killed from outside is not in it: nobody has waited for them.
 */
function processorMs() {
  if (!existsSync(STAT)) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  // The second field is a name in brackets, which may contain anything; user, system, and the same of children are the 14th to 17th.
  const fields = readFileSync(STAT, 'utf8').split(') ').at(-1).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS
}

/** Leaves out the other tests, and answers how many they are; a phrase that is in no title fails. */
function choose(mocha, only) {
  const titles = []
  mocha.suite.eachTest((test) => titles.push(test.fullTitle()))
  mocha.grep(new RegExp(only.map((phrase) => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')))
  const unknown = only.filter((phrase) => !titles.some((title) => title.includes(phrase)))
  return {
    left: titles.filter((title) => !only.some((phrase) => title.includes(phrase))).length,
    failed: unknown.map((phrase) => {
      const title = `scripts/long-suites.mjs names a test that the file does not have: ${phrase}`
      return { title, error: title }
    }),
  }
}
