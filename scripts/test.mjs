/**
 * `npm test`: installs and builds, gets the system tools, runs every check and test, and says how it went in its last line.
 * `--quick`: lint, format, types and the tests of test/core that start no server, program or thread (scripts/quick-specs.mjs).
 * `--coverage`: counts which lines the tests run, in every process of theirs, which takes longer; a summary is printed.
 */
import { randomUUID } from 'node:crypto'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { endLeftovers } from './leftovers.mjs'
import { Stop, prepare, provideDependencies, root } from './prepare.mjs'
import { changedSince, lintStates } from './lint-changed.mjs'
import { lockFaults } from './lock-check.mjs'
import { quickSpecs } from './quick-specs.mjs'
import { provideTools } from './system-tools.mjs'
import { usableMemory } from './test-plan.mjs'

/** Spec files named at the end because they took longest. */
const SLOWEST = 10
/** Lines of a failed test, and of a failed check, that are said again at the end, which may be all of a long output that is kept. */
const ERROR_LINES = 12
const CHECK_LINES = 20
/** Longest run of the tests in continuous integration; elsewhere a slow machine only takes longer. */
const CI_MINUTES = 75
/** The same of one check. */
const CI_CHECK_MINUTES = 10
/** How often a check that takes long is named. */
const STILL_MS = 60_000
/** With less memory lint and build run one after the other: the types of all sources, up to 4 GiB, are then in memory once. */
const BUILD_BESIDE_BYTES = 8 * 2 ** 30
/** With less memory the tests wait for the checks. */
const TESTS_BESIDE_BYTES = 12 * 2 ** 30
const quick = process.argv.includes('--quick')
const withCoverage = process.argv.includes('--coverage')
const ci = process.env.CI === 'true' || process.env.CI === '1'
const id = randomUUID()
const results = { passed: 0, failed: 0, skipped: 0 }
let left = 0
const failures = []
const skipped = []
const notMeasured = []
const unsteady = []

process.on('exit', () => endLeftovers('CAPSTAN_TEST_RUN', id))
const before = trackedChanges()
await check('dependencies', provideDependencies)
if (results.failed > 0) end()
await check('lock file', async () => {
  const faults = lockFaults(root)
  if (faults.length > 0) throw new Stop(faults.join('\n'))
})
// With one processor nothing runs beside anything else.
const memory = availableParallelism() < 2 ? 0 : usableMemory()
// Linting, which uses types, takes longer than the build.
const linted = check('lint', lint)
if (memory < BUILD_BESIDE_BYTES) await linted
const built = await check('types and build', async () => void (await prepare()))
const checked = checksOfText()
if (memory < TESTS_BESIDE_BYTES || !built || quick || withCoverage) await checked
if (!built) end()
if (!quick) provideTools(say)
await tests()
if (!quick) await check('no process left behind', noProcess)
await check('no tracked file changed', async () => {
  const after = trackedChanges()
  if (after !== before) throw new Stop(`the tests changed the working tree:\n${after}`)
})

end()

/** Says what came of it all, and ends. */
function end() {
  if (left > 0) process.stdout.write(`\n${left} tests were left to npm run test:long\n`)
  if (skipped.length > 0) {
    process.stdout.write(`\nskipped:\n${skipped.map(({ title, reason }) => `  ${title}: ${reason}`).join('\n')}\n`)
  }
  if (notMeasured.length > 0) {
    process.stdout.write(`\nnot measured:\n${notMeasured.map(({ title, reason }) => `  ${title}: ${reason}`).join('\n')}\n`)
  }
  if (unsteady.length > 0) {
    const lines = unsteady.map(({ file, title, error }) => `  ${file}: ${title}\n${indent(brief(error))}`)
    process.stdout.write(`\nunsteady, failed beside others and passed by themselves:\n${lines.join('\n')}\n`)
  }
  if (failures.length > 0) process.stdout.write(`\nfailed:\n${failures.join('\n')}\n`)
  if (ci && results.skipped > 0) process.stdout.write(`\nwith CI=true a skipped test is a failure\n`)
  if (ci) Object.assign(results, { failed: results.failed + results.skipped, skipped: 0 })
  process.stdout.write(`\n${results.passed} passed, ${results.failed} failed, ${results.skipped} skipped\n`)
  process.exit(results.failed > 0 ? 1 : 0)
}

/** The checks that need no build; the tests run beside them where there is memory for both. */
async function checksOfText() {
  await check('format', () => tool('prettier', ['--check', '.', '--log-level', 'warn', ...cache('prettier')]))
  if (!quick) await check('unused code', () => tool('knip', []))
  await linted
}

/** Lints what may have changed since it passed (scripts/lint-changed.mjs); all in continuous integration, and where there is no git. */
async function lint() {
  if (quick) return await tool('eslint', ['.', '--max-warnings', '0', ...cache('eslint')])
  const [record, states] = [join(root, '.build', 'lint-passed.json'), ci ? null : statesNow()]
  const changed = states === null ? [] : changedSince(record, states)
  const some = states !== null && changed.length < Object.keys(states).length
  if (!some || changed.length > 0) await tool('eslint', [...(some ? changed : ['.']), '--no-warn-ignored', '--max-warnings', '0'])
  // What was edited meanwhile may not have been read.
  if (states === null || JSON.stringify(states) !== JSON.stringify(statesNow())) return
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, JSON.stringify(states))
}

/** Null where there is no git. */
function statesNow() {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  return status === 0 ? lintStates(root, [...new Set(stdout.split('\0'))]) : null
}

function cache(name) {
  return ['--cache', '--cache-location', join('.build', `${name}-cache`)]
}

/** Runs one check that counts as one result, and answers whether it passed. */
async function check(name, work) {
  const start = performance.now()
  const waiting = setInterval(() => process.stdout.write(`        ${name} is still running after ${seconds(start)}\n`), STILL_MS)
  try {
    await work()
    results.passed++
    process.stdout.write(`ok      ${name}, ${seconds(start)}\n`)
    return true
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    results.failed++
    failures.push(`  ${name}\n${indent(error.message.split('\n').slice(0, CHECK_LINES).join('\n'))}`)
    process.stdout.write(`FAILED  ${name}, ${seconds(start)}\n${indent(error.message)}\n`)
    return false
  } finally {
    clearInterval(waiting)
  }
}

/** The tests; each counts as one result. A run that ends without its report counts as a failure. */
async function tests() {
  const output = join(root, '.build', 'test', 'results.json')
  rmSync(output, { force: true })
  const lanes = [join(root, 'scripts', 'test-lanes.mjs'), '--output', output]
  process.stdout.write('\ntests\n')
  const files = quick ? quickSpecs(root).map((file) => join('dist', file.replace(/\.ts$/, '.js'))) : []
  const run = withCoverage ? [...coverage(), process.execPath, ...lanes, ...files] : [...lanes, '--beside', ...files]
  // The run notices the end of this process by the channel, which c8 would not pass on.
  const stdio = withCoverage ? 'inherit' : ['inherit', 'inherit', 'inherit', 'ipc']
  const begun = withCoverage ? () => undefined : (child) => void checked.then(() => child.connected && child.send('quiet'))
  const { code, timedOut } = await spawned(run, { stdio, minutes: ci ? CI_MINUTES : null, begun })
  await checked
  const report = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : null
  if (report === null || timedOut)
    failed(timedOut ? 'the tests took too long and were stopped' : `the tests ended without a report (exit code ${code})`)
  if (report === null) return
  results.passed += report.passed
  left += report.left
  results.failed += report.failed.length
  results.skipped += report.skipped.length
  notMeasured.push(...report.notMeasured)
  unsteady.push(...report.unsteady)
  skipped.push(...report.skipped.map(({ title, reason }) => ({ title, reason: reason ?? 'no reason given' })))
  failures.push(...report.failed.map(({ file, title, error }) => `  ${file}: ${title}\n${indent(brief(error))}`))
  if (report.failed.length === 0 && code !== 0) failed(`the test run ended with exit code ${code} although every test passed`)
  const slowest = Object.entries(report.files).sort(([, { ms: one }], [, { ms: other }]) => other - one)
  const lines = slowest.slice(0, SLOWEST).map(([file, { ms, cpuMs }]) => `  ${inSeconds(ms)} s ${inSeconds(cpuMs)} s  ${file}`)
  const all = Object.values(report.files).reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  process.stdout.write(`\nslowest files, and their processor time of ${inSeconds(all).trim()} s in all:\n${lines.join('\n')}\n\n`)
}

function inSeconds(ms) {
  return (ms / 1000).toFixed(1).padStart(6)
}

/** The words of c8 before the command that it measures. */
function coverage() {
  const left = ['**/*.d.ts', 'dist/test/**', '**/*.spec.*', 'scripts/**'].flatMap((pattern) => ['--exclude', pattern])
  return [bin('c8'), '--reporter', 'text-summary', '--reporter', 'json-summary', ...left]
}

/** One more failure, which no check and no test has reported. */
function failed(text) {
  results.failed++
  failures.push(`  ${text}`)
  process.stdout.write(`FAILED  ${text}\n`)
}

/** The message of an error and the first line of its stack that lies in a spec, or else its first line. */
function brief(error) {
  const lines = error.split('\n')
  const stack = lines.filter((line) => /^\s+at /.test(line))
  const message = lines.filter((line) => line.trim() !== '' && !stack.includes(line)).slice(0, ERROR_LINES)
  return [...message, stack.find((line) => line.includes('.spec.')) ?? stack[0] ?? ''].join('\n').trimEnd()
}

async function tool(name, args) {
  const { code, output } = await spawned([bin(name), ...args], { stdio: ['ignore', 'pipe', 'pipe'], minutes: ci ? CI_CHECK_MINUTES : null })
  if (code !== 0) throw new Stop(output.trim().split('\n').slice(-80).join('\n') || `${name} ended with exit code ${code}`)
}

/** The script of an installed package's command, run by this very Node. */
function bin(name) {
  const folder = join(root, 'node_modules', name)
  const { bin: entry } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof entry === 'string' ? entry : entry[name])
}

/** Runs a script of Node, its descendants marked by a variable so that those left behind can be found. */
function spawned(args, { stdio, minutes, begun = () => undefined }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, CAPSTAN_TEST_RUN: id } })
    begun(child)
    let output = ''
    let timedOut = false
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    const stopped = () => {
      timedOut = true
      child.kill('SIGKILL')
    }
    const timer = minutes === null ? null : setTimeout(stopped, minutes * 60_000)
    const stop = (signal) => {
      child.kill(signal)
      endLeftovers('CAPSTAN_TEST_RUN', id)
      process.exit({ SIGINT: 130, SIGHUP: 129 }[signal] ?? 143)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop)
      resolve({ code: code ?? signal, output, timedOut })
    })
  })
}

async function noProcess() {
  const left = endLeftovers('CAPSTAN_TEST_RUN', id)
  if (left.length > 0) throw new Stop(`these were still running and were ended:\n${left.join('\n')}`)
}

/** What git says is changed, untracked files included; empty where there is no git. */
function trackedChanges() {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout : ''
}

function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}

function indent(text) {
  return text.replace(/^/gm, '    ')
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
