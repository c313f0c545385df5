/**
 * `npm run test:long`: the long forms of tests that `npm test` runs briefly. Each prints its figures; the last line counts them.
 * `npm run test:long -- NAME...` runs only those named, `--list` says which there are.
 */
import { randomUUID } from 'node:crypto'
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { endLeftovers } from './leftovers.mjs'
import { LONG_SUITES } from './long-suites.mjs'
import { fail, prepare, root, Stop } from './prepare.mjs'
import { provideTools } from './system-tools.mjs'

/** Scripts of the build with their arguments, specs with their environment, or suites; `minutes` is about what they take on two cores. */
const RUNS = {
  ...Object.fromEntries(Object.entries(LONG_SUITES).map(([name, { minutes, files }]) => [name, { suite: Object.keys(files), minutes }])),
  'kill-gateway': { script: 'kill-gateway', args: ['--cycles', '200'], minutes: 12 },
  'kill-accounts': { script: 'kill-gateway', args: ['--cycles', '20', '--clients', '64', '--accounts', '3000'], minutes: 4 },
  'crash-points': { script: 'crash-points', args: ['--runs', '50'], minutes: 40 },
  'grants-beside': { script: 'grants-beside', args: [], minutes: 8 },
  'race-gateway': { script: 'race-gateway', args: ['--rounds', '50'], minutes: 3 },
  'race-replicas': { script: 'race-gateway', args: ['--replicas', '4', '--rounds', '20'], minutes: 8 },
  'kill-replicas': { script: 'kill-replicas', args: ['--kills', '200'], minutes: 33 },
  'restart-replicas': { script: 'kill-replicas', args: ['--kills', '20', '--gently'], minutes: 5 },
  'lost-replies-sqlite': { script: 'lost-replies', args: ['--sqlite', '--count', '5000'], minutes: 1 },
  'lost-replies': { script: 'lost-replies', args: ['--count', '2000'], minutes: 4 },
  outage: { script: 'outage', args: [], minutes: 3 },
  'outage-mongodb': { script: 'outage', args: ['--mongodb'], minutes: 6 },
  'mongo-writes': { script: 'mongo-writes', args: [], minutes: 3 },
  stops: { script: 'stops', args: [], minutes: 14 },
  soak: { script: 'soak', args: [], minutes: 8 },
  'at-rest': { script: 'at-rest', args: [], minutes: 7 },
  expressions: { spec: 'test/expressions/expressions.spec', only: 'A3 A9 A12', env: { CAPSTAN_TEST_EXPRESSIONS: 'all' }, minutes: 1 },
  kept: { spec: 'plugins/convert/kept.spec', only: 'files.convert keeps', env: { CAPSTAN_TEST_KEPT: 'all' }, minutes: 2 },
  formats: { script: 'formats', args: [], minutes: 7 },
  'redis-away': { script: 'bench-redis', args: [], minutes: 3 },
  readers: { script: 'bench-readers', args: [], minutes: 5 },
  bytes: { script: 'bytes', args: [], minutes: 6 },
  growth: { script: 'bench-growth', args: ['--long'], minutes: 15 },
  'limits-replicas': { spec: 'test/replicas/limits.spec', only: 'N-16', env: { CAPSTAN_TEST_FLOOD: '10000' }, minutes: 1 },
}

const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const id = randomUUID()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
process.on('exit', () => endLeftovers('CAPSTAN_TEST_RUN', id))
const names = process.argv.slice(2)
const unknown = names.filter((name) => name !== '--list' && RUNS[name] === undefined)
if (unknown.length > 0) fail(new Stop(`there is no long test ${unknown.join(', ')}; there are ${Object.keys(RUNS).join(', ')}`, 2))
else if (names.includes('--list'))
  for (const [name, run] of Object.entries(RUNS))
    process.stdout.write(`${name.padEnd(18)} about ${run.minutes} minutes: ${described(run)}\n`)
else await runAll(names.length === 0 ? Object.keys(RUNS) : names)

function described({ script, args, suite, spec, env }) {
  if (suite !== undefined) return `${suite.length} spec files whole`
  if (spec === undefined) return `node dist/scripts/${script}.js ${args.join(' ')}`
  return `${Object.entries(env)
    .map((pair) => pair.join('='))
    .join(' ')}, ${spec}.ts`
}

/** What Node is started with. A spec that skips its tests here, for want of a program, fails. */
function command({ script, args, suite, spec, only, env }, built) {
  if (suite !== undefined) {
    const files = suite.map((file) => join('dist', file.replace(/\.ts$/, '.js')))
    return { args: [join(root, 'scripts', 'test-lanes.mjs'), '--whole', ...files], env: { CAPSTAN_TEST_LONG: 'all' } }
  }
  if (spec === undefined) return { args: [join(built, 'scripts', `${script}.js`), ...args], env: {} }
  const options = ['--no-config', '--require', 'reflect-metadata', '--enable-source-maps', '--forbid-pending', '--exit', '--fgrep', only]
  return { args: [mocha, ...options, join(built, `${spec}.js`)], env }
}

async function runAll(names) {
  const built = await prepare().catch(fail)
  provideTools((text) => process.stdout.write(`${text}\n`))
  let failed = 0
  for (const name of names) {
    const began = performance.now()
    process.stdout.write(`\n${name}\n`)
    const { args, env } = command(RUNS[name], built)
    const code = await ended(
      spawn(process.execPath, args, {
        stdio: RUNS[name].suite === undefined ? 'inherit' : ['inherit', 'inherit', 'inherit', 'ipc'],
        cwd: root,
        env: { ...process.env, ...env, CAPSTAN_TEST_RUN: id },
      }),
    )
    const left = endLeftovers('CAPSTAN_TEST_RUN', id)
    if (left.length > 0) process.stdout.write(`these were still running and were ended:\n${left.join('\n')}\n`)
    if (code !== 0 || left.length > 0) failed++
    process.stdout.write(
      `${code === 0 && left.length === 0 ? 'ok' : 'FAILED'}, ${((performance.now() - began) / 60_000).toFixed(1)} minutes\n`,
    )
  }
  process.stdout.write(`\n${names.length - failed} passed, ${failed} failed\n`)
  process.exitCode = failed > 0 ? 1 : 0
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
}
