/** `npm run mutants`: puts single-line defects into a copy of the build and says which of them the tests find. `--help` says more. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { areaOf, readMutations } from './mutants/list.mjs'
import { runMutations } from './mutants/run.mjs'
import { endAll } from './mutants/spec.mjs'
import { Tree } from './mutants/tree.mjs'
import { fail, prepare, root, Stop } from './prepare.mjs'

const HELP = `npm run mutants [-- ID... | --file PATH | --since REF] [--jobs N] [--list] [--as-built]

Makes each mutation of test/mutations.json in a copy of the build, in a temporary folder, and runs the specs named with it until one
fails. The specs run once without it first; a mutant that takes more than five times as long and 20 s counts as killed. Types are not
checked: a mutant that the compiler would refuse runs too. Ends with 1 when a mutant survives, when its text is no longer in its file
exactly once (stale), or when its specs fail without it (broken). What specs use beside Node is what npm test has installed.

  ID...         only these, such as S1 D2
  --file PATH   only those of files that begin with PATH, such as core/store/ ; more than one may be named
  --since REF   only those of files that were changed since a commit
  --jobs N      so many at a time, 1 by default; each has a copy of the build
  --list        says which there are and runs none
  --as-built    takes dist as it is and builds nothing

Example: npm run mutants -- --file core/credits/ --jobs 2
`
const STATES = ['killed', 'survived', 'equivalent', 'stale', 'broken']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', multiple: true, default: [] },
    since: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    'as-built': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const say = (text) => process.stdout.write(`${text}\n`)

if (values.help) process.stdout.write(HELP)
else await main().catch(fail)

async function main() {
  const { mutations, withdrawn } = readMutations(root)
  const chosen = choose(mutations)
  if (values.list) return list(chosen, withdrawn)
  const jobs = Number(values.jobs)
  if (!Number.isInteger(jobs) || jobs < 1) throw new Stop('--jobs is not a whole number of at least 1', 2)
  if (!values['as-built']) await prepare()
  const trees = []
  const remove = () => trees.splice(0).forEach((tree) => tree.remove())
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      endAll()
      remove()
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  try {
    for (let job = 0; job < Math.min(jobs, chosen.length); job++) trees.push(new Tree(root))
    let done = 0
    const onBase = (spec, { ms, passed }) => say(`          without a mutation: ${spec}, ${passed} passed, ${seconds(ms)}`)
    const onResult = (result) => say(`${`[${++done}/${chosen.length}]`.padEnd(10)}${lineOf(result)}`)
    const results = await runMutations(root, chosen, { trees, onBase, onResult })
    table(results, withdrawn.length)
    process.exitCode = results.every(({ state }) => state === 'killed' || state === 'equivalent') ? 0 : 1
  } finally {
    remove()
  }
}

function choose(mutations) {
  const unknown = positionals.filter((id) => mutations.every((each) => each.id !== id))
  if (unknown.length > 0) throw new Stop(`there is no mutation ${unknown.join(', ')}; --list says which there are`, 2)
  const changed = values.since === undefined ? null : changedSince(values.since)
  const chosen = mutations.filter(
    ({ id, file }) =>
      (positionals.length === 0 || positionals.includes(id)) &&
      (values.file.length === 0 || values.file.some((path) => file.startsWith(path))) &&
      (changed === null || changed.includes(file)),
  )
  if (chosen.length === 0) throw new Stop('no mutation is of these files', changed === null ? 2 : 0)
  return chosen
}

function changedSince(ref) {
  const { status, stdout, stderr } = spawnSync('git', ['diff', '--name-only', ref, '--'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Stop(`git has no ${ref}: ${stderr.trim()}`, 2)
  return stdout.split('\n')
}

function list(chosen, withdrawn) {
  for (const { id, file, equivalent, note } of chosen)
    say(`${id.padEnd(8)}${file}${equivalent === undefined ? '' : `  (equivalent: ${equivalent})`}${note === undefined ? '' : `  ${note}`}`)
  say(`${chosen.length} mutations; ${withdrawn.length} withdrawn`)
}

function lineOf({ mutation: { id, file }, state, why, ms }) {
  return `${state.padEnd(11)}${id.padEnd(8)}${file}  ${seconds(ms)}  ${why}`
}

/** How many came to what, by what their files belong to, then what is to be mended. */
function table(results, withdrawn) {
  const areas = [...new Set(results.map(({ mutation }) => areaOf(mutation.file)))].sort()
  const row = (name, of) =>
    say(`${name.padEnd(28)}${STATES.map((state) => String(of.filter((each) => each.state === state).length).padStart(12)).join('')}`)
  say(`\n${''.padEnd(28)}${STATES.map((state) => state.padStart(12)).join('')}`)
  for (const area of areas)
    row(
      area,
      results.filter(({ mutation }) => areaOf(mutation.file) === area),
    )
  row('all', results)
  say(`withdrawn: ${withdrawn}`)
  for (const result of results) if (!['killed', 'equivalent'].includes(result.state)) say(lineOf(result))
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}
