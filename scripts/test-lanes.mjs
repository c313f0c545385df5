/**
 * Runs spec files in several processes ("lanes") at a time, each file in one of them, and prints a line for each:
 * `node scripts/test-lanes.mjs --output FILE [--lanes N] [--seconds N] [--whole] [--beside] [FOLDER | SPEC...]`, all compiled specs unless some
 * are named.
 * Of the files of the long suites (scripts/long-suites.mjs) a few tests run, or all with `--whole`.
 * A file of which no test ends for `seconds` (600) hangs: its process is ended and the file counts as failed. The files that measure time
 * or memory (scripts/test-plan.mjs) run last, one at a time, with `--beside` not before the parent has sent a message, which says that its own
 * work beside the tests has ended; of the others those begin first that took longest when they last ran. Each process has a folder for
 * temporary files of its own, in which a file that leaves something fails. When few files failed, each runs once
 * more, by itself: what passes then depends on time, and is listed as unsteady with its first error instead of failing the run. All results
 * go as JSON into `output`, with the milliseconds of each file and those of processor time. Started with a channel to its parent, it ends
 * when that is gone.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { clearLeftovers } from './leftovers.mjs'
import { SMOKE } from './long-suites.mjs'
import { root } from './prepare.mjs'
import { ALONE, lanesFor, longestFirst, recorded, usableMemory } from './test-plan.mjs'

/** Of one test that names no other; tests that run side by side take longer than one that has the machine to itself. */
const TEST_TIMEOUT_MS = 20_000
/** How often a file that takes long is named. */
const STILL_MS = 60_000
/** With more failed files than this none runs again. */
const MOST_AGAIN = 3
/** What each file took when it last ran, in milliseconds, for the order in which the next run begins them. */
const TIMES = join(root, '.build', 'test', 'milliseconds.json')
/** A file system in memory, where databases of tests lie. */
const MEMORY = '/dev/shm'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string' },
    lanes: { type: 'string', default: String(lanesFor(availableParallelism(), usableMemory())) },
    seconds: { type: 'string', default: '600' },
    whole: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
  },
})
// The default would leave the folders of the processes.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])
  process.on(signal, () => process.exit(code))
// Whoever started this run is gone, in whatever way: nobody would see what came of it, nor end its servers.
process.on('disconnect', () => process.exit(1))
const quiet = values.beside ? once(process, 'message') : null
process.channel?.unref()
/** Processes of tests that run now. */
const running = new Set()
process.on('exit', () => running.forEach(endGroup))
const results = { passed: 0, failed: [], skipped: [], notMeasured: [], unsteady: [], left: 0, files: {} }
const files = specs(positionals.length > 0 ? positionals : [join('dist', 'test'), join('dist', 'plugins')])
const alone = files.filter((file) => ALONE.includes(nameOf(file)))
const rest = files.filter((file) => !ALONE.includes(nameOf(file)))
const known = recorded(TIMES)

await runAll(longestFirst(rest, nameOf, known), Number(values.lanes))
process.channel?.ref()
await quiet
process.channel?.unref()
await runAll(alone, 1)
await runFailedAgain()
remember()
if (values.output !== undefined) {
  mkdirSync(dirname(values.output), { recursive: true })
  writeFileSync(values.output, JSON.stringify(results, null, 2))
}
process.exitCode = results.failed.length > 0 ? 1 : 0

/** Keeps what the files took, and of those that did not run what they took before. */
function remember() {
  const took = Object.entries(results.files).filter(([name]) => !isAbsolute(name))
  if (values.whole || took.length === 0) return
  mkdirSync(dirname(TIMES), { recursive: true })
  writeFileSync(TIMES, JSON.stringify({ ...known, ...Object.fromEntries(took.map(([name, { ms }]) => [name, ms])) }, null, 2))
}

/** Runs the files in the given number of processes, each taking the next file when it is done with one. */
async function runAll(queue, lanes) {
  const left = [...queue]
  await Promise.all(Array.from({ length: Math.min(lanes, left.length) }, () => runLane(left)))
}

async function runFailedAgain() {
  const again = files.filter((file) => results.files[nameOf(file)].failed > 0)
  if (again.length === 0 || again.length > MOST_AGAIN) return
  process.stdout.write(`\nonce more, by themselves:\n`)
  const failed = results.failed.filter(({ file }) => again.some((one) => nameOf(one) === file))
  results.failed = results.failed.filter((failure) => !failed.includes(failure))
  for (const file of again) forget(nameOf(file))
  await runAll(again, 1)
  results.unsteady = failed.filter(({ file }) => results.files[file].failed === 0)
}

/** Takes the results of a file back. */
function forget(name) {
  const { passed, left } = results.files[name]
  results.passed -= passed
  results.left -= left
  for (const list of ['skipped', 'notMeasured']) results[list] = results[list].filter(({ file }) => file !== name)
}

async function runLane(left) {
  // Short, for the paths of Unix sockets below it, and open to programs that run as users of their own.
  const folders = [tmpdir(), ...(existsSync(MEMORY) ? [MEMORY] : [])].map((parent) => mkdtempSync(join(parent, 'cl-')))
  for (const folder of folders) chmodSync(folder, 0o1777)
  const [temporary, memory = temporary] = folders
  const remove = () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }))
  process.once('exit', remove)
  try {
    await runFiles(left, { TMPDIR: temporary, CAPSTAN_TEST_MEMORY: memory })
    // A server that all files of the process share lies there until its end.
    const names = await clearLeftovers(memory)
    if (names.length > 0) leftBehind(names)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

function leftBehind(names) {
  const title = `the tests left something in ${MEMORY}`
  results.failed.push({ file: 'scripts/test-lanes.mjs', title, error: names.join(' ') })
  process.stdout.write(`\n  FAILED ${title}: ${names.join(' ')}\n\n`)
}

async function runFiles(left, folders) {
  let lane = null
  for (let file = left.shift(); file !== undefined; file = left.shift()) {
    lane ??= start(folders)
    const report = await run(lane, file)
    note(file, report)
    if (!report.ended) continue
    // A server that its tests started has nobody left who ends it.
    endGroup(lane)
    lane = null
    await clearLeftovers(folders.TMPDIR)
  }
  if (lane === null) return
  const ended = new Promise((resolve) => lane.once('exit', resolve))
  const timer = setTimeout(() => lane.kill('SIGKILL'), 60_000)
  lane.disconnect()
  await ended
  running.delete(lane)
  clearTimeout(timer)
}

function start(folders) {
  const lane = fork(join(root, 'scripts', 'test-lane.mjs'), [String(TEST_TIMEOUT_MS)], {
    cwd: root,
    execArgv: ['--enable-source-maps'],
    env: { ...process.env, ...folders },
    // Leads a process group, in which are the servers and programs that its tests start.
    detached: true,
  })
  running.add(lane)
  return lane
}

/** Ends what is left in the process group of a lane. */
function endGroup(lane) {
  running.delete(lane)
  try {
    process.kill(-lane.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** One file in a lane. A process that ends or hangs meanwhile is a failure of the file. */
function run(lane, file) {
  return new Promise((resolve) => {
    const begun = performance.now()
    const fail = (title) => ({
      passed: 0,
      failed: [{ title, error: title }],
      skipped: [],
      notMeasured: [],
      left: 0,
      ended: true,
      ms: performance.now() - begun,
      cpuMs: 0,
    })
    const settle = (report) => {
      clearTimeout(timer)
      clearInterval(waiting)
      lane.off('message', received).off('exit', exited)
      resolve(report)
    }
    const received = (message) => void (message.progress === true ? timer.refresh() : settle(message))
    const exited = (code, signal) => settle(fail(`the process of the test ended with ${signal ?? `exit code ${code}`}`))
    const timer = setTimeout(
      () => {
        lane.kill('SIGKILL')
        settle(fail(`no test of the file had ended for ${values.seconds} s`))
      },
      Number(values.seconds) * 1000,
    )
    const waiting = setInterval(
      () => process.stdout.write(`  ${nameOf(file)} is still running after ${((performance.now() - begun) / 1000).toFixed(0)} s\n`),
      STILL_MS,
    )
    lane.on('message', received).on('exit', exited)
    const only = values.whole ? null : (SMOKE[nameOf(file)] ?? null)
    lane.send({ file, only }, () => undefined)
  })
}

/** Adds what came of a file to the results, and prints it. */
function note(file, { passed, failed, skipped, notMeasured, left, ms, cpuMs }) {
  const name = nameOf(file)
  const here = (list) => list.map((one) => ({ file: name, ...one }))
  results.passed += passed
  results.left += left
  results.failed.push(...here(failed))
  results.skipped.push(...here(skipped))
  results.notMeasured.push(...here(notMeasured))
  results.files[name] = { passed, failed: failed.length, skipped: skipped.length, left, ms: Math.round(ms), cpuMs: Math.round(cpuMs) }
  for (const { title, error } of failed) process.stdout.write(`\n  FAILED ${title}\n${indent(error.split('\n').slice(0, 25))}\n\n`)
  const words = [
    `${passed} passed`,
    ...counted(failed, 'failed'),
    ...counted(skipped, 'skipped'),
    ...(left > 0 ? [`${left} left to test:long`] : []),
  ]
  process.stdout.write(`  ${failed.length > 0 ? 'FAILED' : 'ok'}  ${name}  ${words.join(', ')}, ${(ms / 1000).toFixed(1)} s\n`)
}

function counted(list, word) {
  return list.length > 0 ? [`${list.length} ${word}`] : []
}

function indent(lines) {
  return lines.map((line) => `    ${line}`).join('\n')
}

/** The compiled specs at or below the given paths, in order. */
function specs(paths) {
  return paths.flatMap((path) => (statSync(resolve(root, path)).isFile() ? [path] : below(path)))
}

function below(folder) {
  const names = readdirSync(resolve(root, folder), { recursive: true }).filter((name) => name.endsWith('.spec.js'))
  return names.sort().map((name) => join(folder, name))
}

/** The name of the source of a compiled spec. */
function nameOf(file) {
  return file.replace(/^dist\//, '').replace(/\.js$/, '.ts')
}
