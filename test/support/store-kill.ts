import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { auditStore } from '../../scripts/capstan/audit/store.js'
import { ulid } from '../../core/runtime/id.js'
import { openStore } from '../../core/store/open.js'
import type { Entry, Store } from '../../core/store/types.js'
import { furnish, keyOf } from './store.js'

/** What the kills have shown so far. Every figure of the second half must be zero. */
export interface KillReport {
  cycles: number
  acknowledged: number
  charges: number
  /** Answers seen by the client and refunded all the same, because the mark was not durable: in the caller's favour. */
  answeredAndRefunded: number
  refunded: number
  released: number
  drift: number
  duplicateCharges: number
  chargedButNotDelivered: number
  lost: number
  deliveredAndRefunded: number
  stillHeld: number
  problems: string[]
}

const GRANT = 1e12

type Event = 'held' | 'charged' | 'released' | 'answered' | 'delivered'

/** Runs the child until it is killed; answers what it said before. */
function killed(setting: string, owner: string, afterMs: number): Promise<Map<Event, Set<string>>> {
  return new Promise((resolve, reject) => {
    const script = fileURLToPath(new URL('./store-kill-child.js', import.meta.url))
    const child = spawn(process.execPath, [script, setting, owner], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    let text = ''
    let errors = ''
    let timer: NodeJS.Timeout | undefined
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs)
    })
    child.on('error', reject)
    child.on('close', (_, signal) => {
      clearTimeout(timer)
      if (signal !== 'SIGKILL') reject(new Error(`the child ended by itself: ${errors}`))
      else resolve(eventsOf(text))
    })
  })
}

function eventsOf(text: string): Map<Event, Set<string>> {
  const events = new Map<Event, Set<string>>()
  for (const kind of ['held', 'charged', 'released', 'answered', 'delivered'] as const) {
    const ids = [...text.matchAll(new RegExp(`^${kind} (\\w+)$`, 'gm'))].map((match) => match[1] ?? '')
    events.set(kind, new Set(ids))
  }
  return events
}

async function entriesAfter(store: Store, seq: number): Promise<Entry[]> {
  const all: Entry[] = []
  for (;;) {
    const page = await store.ledger.entries({ account: 'acc', afterSeq: all.at(-1)?.seq ?? seq, limit: 5000 })
    if (page.length === 0) return all
    all.push(...page)
  }
}

function compare(report: KillReport, events: Map<Event, Set<string>>, entries: readonly Entry[]): void {
  const idsOf = (kind: Event) => events.get(kind) ?? new Set<string>()
  const charges = new Map<string, number>()
  const refunds = new Set<string>()
  const releases = new Set<string>()
  for (const { kind, ref } of entries) {
    if (kind === 'charge') charges.set(ref, (charges.get(ref) ?? 0) + 1)
    if (kind === 'refund') refunds.add(ref.slice('rf:'.length))
    if (kind === 'release') releases.add(ref)
  }
  report.charges += charges.size
  report.refunded += refunds.size
  report.released += releases.size
  for (const ids of events.values()) report.acknowledged += ids.size
  for (const [id, times] of charges) {
    if (times > 1) report.duplicateCharges += 1
    if (!idsOf('answered').has(id) && !refunds.has(id)) report.chargedButNotDelivered += 1
    if (idsOf('answered').has(id) && refunds.has(id)) report.answeredAndRefunded += 1
    if (idsOf('delivered').has(id) && refunds.has(id)) report.deliveredAndRefunded += 1
  }
  for (const id of idsOf('charged')) if (!charges.has(id)) report.lost += 1
  for (const id of idsOf('released')) if (!releases.has(id)) report.lost += 1
  for (const id of idsOf('held')) if (!charges.has(id) && !releases.has(id)) report.lost += 1
}

interface Position {
  readonly seq: number
  readonly balance: number
}

/** What a restarted gateway does first, and then the accounts: returns the current position of the journal. */
async function recover(setting: string, report: KillReport, before: Position, events: Map<Event, Set<string>>): Promise<Position> {
  const store = await openStore(setting, '/', { thread: 'same' })
  try {
    for (let more = true; more;) {
      const swept = await store.ledger.sweep({ now: Date.now(), graceMs: 30_000, owner: 'recovery', deadOwners: 'all-but-owner' })
      more = swept.released + swept.refunded > 0
    }
    const entries = await entriesAfter(store, before.seq)
    compare(report, events, entries)
    const account = await store.ledger.balance('acc')
    if (account === null) throw new Error('the account is gone')
    report.drift += Math.abs(account.balance - entries.reduce((sum, entry) => sum + entry.amount, before.balance))
    report.stillHeld += account.held + account.open
    report.problems.push(...(await auditStore(setting, { alive: true })).problems)
    return { seq: account.seq, balance: account.balance }
  } finally {
    await store.close()
  }
}

export interface KillOptions {
  /** The store, as the setting names it. */
  readonly setting: string
  readonly cycles: number
  /** Goes on, up to five times as long, until enough has been seen: on a slow machine a gateway may do little before it is killed. */
  readonly enough?: (report: KillReport) => boolean
  /** Time a gateway lives, in ms. */
  readonly lifeMs?: { readonly least: number; readonly most: number }
  readonly onCycle?: (report: KillReport) => void
}

/** Starts, kills and recovers a gateway again and again on one store; each time the auditor and the log of what was acknowledged are compared. */
export async function killTest(options: KillOptions): Promise<KillReport> {
  const report: KillReport = {
    ...{ cycles: 0, acknowledged: 0, charges: 0, answeredAndRefunded: 0, refunded: 0, released: 0 },
    ...{ drift: 0, duplicateCharges: 0, chargedButNotDelivered: 0, lost: 0, deliveredAndRefunded: 0, stillHeld: 0, problems: [] },
  }
  const first = await openStore(options.setting, '/', { thread: 'same' })
  await furnish(first, GRANT)
  await first.keys.create(keyOf({ id: 'key_capped', credit_limit: 1e12, credit_limit_per_day: 1e12 }))
  await first.close()
  const { least, most } = options.lifeMs ?? { least: 50, most: 300 }
  let position: Position = { seq: 1, balance: GRANT }
  const { cycles, enough = () => true } = options
  while (report.cycles < cycles || (report.cycles < 5 * cycles && !enough(report))) {
    const owner = ulid(Date.now())
    const events = await killed(options.setting, owner, least + Math.random() * (most - least))
    position = await recover(options.setting, report, position, events)
    report.cycles += 1
    options.onCycle?.(report)
  }
  return report
}
