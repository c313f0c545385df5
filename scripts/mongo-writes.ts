import { parseArgs } from 'node:util'
import { ulid } from '../core/runtime/id.js'
import { openMongoStore } from '../core/store/mongodb/store.js'
import type { Store } from '../core/store/types.js'
import { endMongo, temporaryMongo } from '../test/support/mongodb.js'
import { systemClock } from '../core/runtime/clock.js'
import { KeyUses } from '../core/accounts/authenticate.js'
import { answer, facts, furnish } from '../test/support/store.js'

const HELP = `Counts the documents written and the commands sent for a call on MongoDB, by several gateways that mark, publish, renew their leases and
note the use of keys as served ones do.

  node dist/scripts/mongo-writes.js [--gateways 4,...] [--accounts 4] [--rate 10] [--seconds 10] [--kinds plain,failed,keyed]

--rate is calls a second of each account. Uses the server of CAPSTAN_TEST_MONGODB, or starts secantusd-py.
`

const MARKS_MS = 250
const MARKS_AT = 16
const PUBLISH_MS = 1000
const RENEW_MS = 5000
const LEASE_MS = 20_000
/** A slow test server is measured by what is written, not by how fast. */
const TIMEOUTS = { selectMs: 8000, tripMs: 20_000, serverMs: 20_000 }

/** Where the driver puts the documents of a write. */
const BATCH = new Map([
  ['insert', 'documents'],
  ['update', 'updates'],
  ['delete', 'deletes'],
])
const KINDS = new Set([...BATCH.keys(), 'findAndModify', 'find', 'aggregate'])

/** A call without more, one whose providers failed, one under an Idempotency-Key. */
type Kind = (typeof CALL_KINDS)[number]
const CALL_KINDS = ['plain', 'failed', 'keyed'] as const

class Counts {
  readonly commands = new Map<string, number>()
  readonly documents = new Map<string, number>()
  counting = false

  count(name: string, command: Readonly<Record<string, unknown>>): void {
    if (!this.counting || !KINDS.has(name)) return
    const kind = `${name} ${String(command[name])}`
    this.commands.set(kind, (this.commands.get(kind) ?? 0) + 1)
    const batch = command[BATCH.get(name) ?? '']
    const written = Array.isArray(batch) ? batch.length : name === 'findAndModify' ? 1 : 0
    if (written > 0) this.documents.set(kind, (this.documents.get(kind) ?? 0) + written)
  }
}

/** One gateway's store, with its timers. */
class Gateway {
  readonly instance = ulid(Date.now())
  readonly #store: Store
  #marks: { account: string; ref: string }[] = []
  readonly #timers: NodeJS.Timeout[] = []
  readonly #uses: KeyUses

  constructor(store: Store) {
    this.#store = store
    this.#uses = new KeyUses(store.keys, systemClock, (_, message) => console.error(message))
  }

  async start(): Promise<void> {
    const { leases, ledger } = this.#store
    await leases.renew(this.instance, Date.now(), LEASE_MS)
    this.#timers.push(setInterval(() => void this.flush(), MARKS_MS))
    this.#timers.push(setInterval(() => void leases.renew(this.instance, Date.now(), LEASE_MS), RENEW_MS))
    this.#timers.push(setInterval(() => void ledger.publish?.({ instance: this.instance, now: Date.now() }), PUBLISH_MS))
  }

  async call(account: string, kind: Kind): Promise<void> {
    const { ledger, idempotency } = this.#store
    const now = Date.now()
    const hold = ulid(now)
    const place = { account, hold, amount: 10, owner: this.instance, now }
    const terms = { deadline: now + 60_000, auth: 0, key: `key of ${account}`, capped: false, capability: 'search.web', maxOpen: 10_000 }
    const known = facts({ key_id: terms.key, request_id: hold })
    this.#uses.used(terms.key)
    const claim = { account, key: hold, fingerprint: 'print', hold, owner: this.instance }
    if (kind === 'keyed') await idempotency.claim({ ...claim, lockUntil: now + 60_000, expires: now + 86_400_000, once: false, now })
    const held = await ledger.hold({ ...place, ...terms })
    if (!held.ok) throw new Error(`a hold was refused: ${held.why}`)
    if (kind === 'failed') {
      await ledger.release({ ...place, reason: 'providers-failed', facts: { ...known, status: 502, error: 'providers-failed' } })
      return
    }
    if (kind === 'keyed') {
      const response = answer({ facts: known })
      await idempotency.keep({ account, key: hold, attempt: 1, hold, response, counted: 'by-charge', now })
      await ledger.charge({ ...place, facts: known, delivery: 'none', keptBytes: response.body.byteLength })
      return
    }
    await ledger.charge({ ...place, facts: known })
    this.#marks.push({ account, ref: hold })
    if (this.#marks.length >= MARKS_AT) await this.flush()
  }

  async flush(): Promise<void> {
    const marks = this.#marks.splice(0)
    if (marks.length > 0) await this.#store.ledger.delivered(marks)
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.flush()
    await this.#uses.flush()
    // The first may be one that was under way.
    for (let round = 0; round < 2; round++) await this.#store.ledger.publish?.({ instance: this.instance, now: Date.now() })
  }
}

async function measured(gateways: number, accounts: number, load: { rate: number; seconds: number; kind: Kind }): Promise<void> {
  const { uri, drop } = await temporaryMongo()
  const counts = new Counts()
  const stores = await Promise.all(
    Array.from({ length: gateways }, () =>
      openMongoStore({ uri, timeouts: TIMEOUTS, onCommand: (name, command) => counts.count(name, command) }),
    ),
  )
  try {
    const ids = Array.from({ length: accounts }, (_, index) => `acc_${index}`)
    for (const id of ids) await furnish(stores[0] ?? fail(), 1e12, id)
    const all = stores.map((store) => new Gateway(store))
    for (const gateway of all) await gateway.start()
    counts.counting = true
    const calls = load.rate * accounts * load.seconds
    const running: Promise<void>[] = []
    const began = performance.now()
    for (let made = 0; made < calls; made++) {
      const wait = began + (made * 1000) / (load.rate * accounts) - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      running.push((all[made % all.length] ?? fail()).call(ids[Math.floor(made / all.length) % ids.length] ?? '', load.kind))
    }
    await Promise.all(running)
    for (const gateway of all) await gateway.stop()
    counts.counting = false
    report(counts, calls, `${gateways} gateways, ${accounts} accounts, ${calls} ${load.kind} calls`)
  } finally {
    for (const store of stores) await store.close()
    await drop()
  }
}

function report({ commands, documents }: Counts, calls: number, what: string): void {
  const total = (of: ReadonlyMap<string, number>): number => [...of.values()].reduce((sum, one) => sum + one, 0)
  const per = (count: number): string => (count / calls).toFixed(2)
  console.log(`${what}: ${per(total(documents))} documents, ${per(total(commands))} commands a call`)
  for (const [kind, count] of [...commands].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${kind}: ${per(count)} commands, ${per(documents.get(kind) ?? 0)} documents`)
  console.log(`  inserts tried per entry: ${((documents.get('insert entries') ?? 0) / calls).toFixed(2)}`)
}

function fail(): never {
  throw new Error('there is no gateway')
}

const options = {
  gateways: { type: 'string', default: '4' },
  accounts: { type: 'string', default: '4' },
  rate: { type: 'string', default: '10' },
  seconds: { type: 'string', default: '10' },
  kinds: { type: 'string', default: CALL_KINDS.join(',') },
  help: { type: 'boolean', default: false },
} as const
const { values } = parseArgs({ options })
if (values.help) console.log(HELP)
else {
  const kinds = CALL_KINDS.filter((kind) => values.kinds.split(',').includes(kind))
  const load = { rate: Number(values.rate), seconds: Number(values.seconds) }
  try {
    for (const gateways of values.gateways.split(','))
      for (const kind of kinds) await measured(Number(gateways), Number(values.accounts), { ...load, kind })
  } finally {
    await endMongo()
  }
}
