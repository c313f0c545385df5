import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { ProvidersReport } from '../../../core/dispatch/provider-report.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { residentMib } from '../../gateway/process.js'
import { startGateway } from '../../gateway/start.js'
import { enginesBelow, enginesMib } from '../engines.js'
import { median, row, unmeasured, type Say } from '../files/figure.js'

const ROUNDS = 5
/** Vendors that are live where a pack is there. */
const VENDORS = ['cutout', 'voice', 'whisper']
/** Hides a folder from the program behind it and from nobody else; the other leaves it. */
const HIDDEN = 'mount -t tmpfs none "$0" && exec "$@"'
const AS_IT_IS = 'exec "$@"'

interface Start {
  readonly readyMs: number
  readonly gatewayMib: number
  readonly engines: number
  readonly enginesMib: number
  /** Vendors with a pack that are live. */
  readonly live: number
}

/** What engine packs cost that nobody uses: time until the gateway listens, memory, and processes; with the packs of this machine and without, in turns. */
export async function benchUnused(say: Say): Promise<void> {
  const [having, lacking]: [Start[], Start[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    having.push(await started(AS_IT_IS))
    const without = await started(HIDDEN).catch((error: unknown) => String(error))
    if (typeof without === 'string')
      return say(unmeasured('a start without packs', `${without}; only root may hide a folder from one process`))
    lacking.push(without)
  }
  const middle = (starts: readonly Start[], pick: (start: Start) => number): number => median(starts.map(pick))
  const most = (pick: (start: Start) => number): number => Math.max(...having.map(pick))
  say(
    row(
      `vendors with a pack that are live, of ${String(VENDORS.length)}`,
      middle(having, ({ live }) => live),
      { unit: 'vendors' },
    ),
  )
  say(
    row(
      'the same where the packs are hidden',
      middle(lacking, ({ live }) => live),
      { most: 0, unit: 'vendors' },
    ),
  )
  say(
    row(
      'processes of engines after the start and a list of providers',
      most(({ engines }) => engines),
      { most: 0, unit: 'processes' },
    ),
  )
  say(
    row(
      'their memory',
      most((start) => start.enginesMib),
      { most: 0, unit: 'MiB' },
    ),
  )
  for (const [what, unit, pick] of [
    ['ready', 'ms', ({ readyMs }: Start) => readyMs],
    ['memory of the gateway', 'MiB', ({ gatewayMib }: Start) => gatewayMib],
  ] as const) {
    say(row(`${what} without packs, median of ${String(ROUNDS)}`, middle(lacking, pick), { unit }))
    say(row(`${what} with packs`, middle(having, pick), { unit }))
  }
}

async function started(script: string): Promise<Start> {
  const wrap = ['unshare', '--mount', 'sh', '-c', script, realpathSync(join(packageRoot(), '.tools'))]
  const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', wrap })
  try {
    const { pid, url, readyMs, first } = gateway
    const authorization = `Bearer ${first?.admin_token ?? ''}`
    const reply = await fetch(`${url}/admin/v1/providers`, { headers: { authorization } })
    const { ports } = (await reply.json()) as ProvidersReport
    const live = new Set(ports.flatMap(({ providers }) => providers.filter(({ state }) => state === 'live').map(({ id }) => id)))
    return {
      readyMs,
      gatewayMib: residentMib(pid),
      engines: enginesBelow(pid).length,
      enginesMib: enginesMib(pid),
      live: VENDORS.filter((id) => live.has(id)).length,
    }
  } finally {
    await gateway.stop()
  }
}
