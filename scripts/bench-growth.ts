import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { measureGrowth, type Scale } from './growth/cost.js'
import { measureMemory } from './growth/memory.js'
import { measureRestart } from './growth/restart.js'

const HELP = `Measures whether a paid call costs the same however much there is: a gateway on the embedded ledger behind an instant upstream.

  node dist/scripts/bench-growth.js [--long] [--most N] [--only entries|accounts|keys|memory|restart]
                                    [--calls 10000] [--rounds 3] [--memory-calls 100000] [--folder DIR]

entries   1,000 to 100,000 entries of one account, with --long up to 1,000,000
accounts  1 to 10,000 accounts with a key each, which are used in turn
keys      1 to 10,000 keys of one account, with --long up to 100,000, which are used in turn
memory    resident memory over --memory-calls calls, the first tenth against the last
restart   when a gateway listens that is started on 100,000 entries, with --long on 1,000,000, and on as many with 10,000 open holds of one
          that was killed

The ledger is filled by commands of the store, not by requests. Each round measures every size once, on a copy of its ledger and a new
process: calls to warm up (half of --calls, or each key once), then --calls calls, 16 at any moment. Figures are medians of the rounds,
ratios medians of the ratios to the smallest size in the same round. The calls of a round add entries of their own, at every size the
same. Sizes above --most are left out.
`

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    most: { type: 'string' },
    only: { type: 'string' },
    calls: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    'memory-calls': { type: 'string', default: '100000' },
    folder: { type: 'string', default: tmpdir() },
    help: { type: 'boolean', default: false },
  },
})

const SCALES: readonly Scale[] = [
  {
    what: 'entries',
    sizes: [1_000, 10_000, 100_000, ...(values.long ? [1_000_000] : [])],
    shape: (entries) => ({ entries, accounts: 1, keys: 8 }),
  },
  { what: 'accounts', sizes: [1, 100, 10_000], shape: (accounts) => ({ entries: 0, accounts, keys: accounts }) },
  { what: 'keys', sizes: [1, 100, 10_000, ...(values.long ? [100_000] : [])], shape: (keys) => ({ entries: 0, accounts: 1, keys }) },
]

async function main(): Promise<void> {
  const { only, folder } = values
  const names = [...SCALES.map(({ what }) => what), 'memory', 'restart']
  if (only !== undefined && !names.includes(only)) throw new Error(`--only takes ${names.join(', ')}`)
  const options = { calls: Number(values.calls), rounds: Number(values.rounds), most: Number(values.most ?? Infinity), folder }
  for (const scale of SCALES) if (only === undefined || only === scale.what) await measureGrowth(scale, options)
  if (only === undefined || only === 'memory') await measureMemory(Number(values['memory-calls']), folder)
  const entries = Math.min(values.long ? 1_000_000 : 100_000, options.most)
  if (only === undefined || only === 'restart') await measureRestart({ entries, rounds: options.rounds, folder })
}

if (values.help) process.stdout.write(HELP)
else await main()
