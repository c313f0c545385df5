import { StoreUnavailable } from '../../core/store/types.js'
import { ACCOUNT, type Books } from './lost-replies-books.js'
import type { LossyWorld } from './lost-replies-world.js'
import { facts } from './store.js'

/** What one charge of the test capability costs, in thousandths of a credit. */
const PRICE = 1000
/** Longer than the lock of an Idempotency-Key (5 s of work and 30 s of grace), in ms. */
const LOCK_MS = 40_000

export interface Stage {
  readonly world: LossyWorld
  readonly books: Books
  /** Names the request; fresh each time. */
  readonly id: string
  /** Does some work under the loss of one message. */
  readonly lossy: (work: () => Promise<unknown>) => Promise<void>
}

/** A thing the gateway does, with what its client has to find in the ledger when all is over. */
export type Scenario = (stage: Stage) => Promise<void>

/** Repeats a command until it is answered, as an operator would. */
async function insist<T>(command: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await command()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === 20) throw error
    }
  }
}

/** What a store that is out of reach rejects with is no fault of the test. */
async function tolerate(command: () => Promise<unknown>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}

/** hold, charge, delivered: a call that works. */
const call: Scenario = async ({ world, books, id, lossy }) => {
  await lossy(async () => {
    const { status, delivered } = await world.call(id)
    books.owe(id, status === 200 ? -PRICE : 0)
    if (status === 200) delivered()
    await world.flush()
  })
  await world.flush()
}

/** hold, release: a call whose provider fails. */
const failing: Scenario = async ({ world, books, id, lossy }) => {
  await lossy(async () => {
    const { status } = await world.call(id, { failed: true })
    if (status < 500) books.wrong(`${id}: a failed call was answered with ${status}`)
  })
  books.owe(id, 0)
}

/** hold, charge, refund: a client that is gone before its answer. */
const gone: Scenario = async ({ world, books, id, lossy }) => {
  await lossy(async () => {
    const { lost } = await world.call(id)
    await tolerate(lost)
  })
  books.owe(id, 0)
}

/** Sends a request with an Idempotency-Key until it is answered, as the documentation says; later attempts come after the lock. */
async function keyed({ world, books, id, lossy }: Stage, failed: boolean): Promise<void> {
  const bodies = new Set<string>()
  const attempt = async (first: boolean) => {
    const { status, body, delivered } = await world.call(id, { key: `key ${id}`, failed: first && failed })
    if (status === 200) {
      bodies.add(Buffer.from(body).toString())
      delivered()
    } else world.clock.pass(LOCK_MS)
  }
  await lossy(() => attempt(true))
  for (let round = 0; round < 5 && bodies.size === 0; round++) await attempt(false)
  // A client that lost its answer repeats the call and gets the same bytes.
  await attempt(false)
  await world.flush()
  if (bodies.size !== 1) books.wrong(`${id}: ${bodies.size} different answers under one Idempotency-Key`)
  books.owe(id, -PRICE)
}

/** A grant, with the same reference until it is answered. */
const grant: Scenario = async ({ world, books, id, lossy }) => {
  const request = {
    account: ACCOUNT,
    ref: id,
    kind: 'grant',
    amount: 777,
    note: null,
    facts: null,
    owner: 'cli',
    now: world.clock.now(),
  } as const
  await lossy(async () => {
    const result = await insist(() => world.store.ledger.post(request))
    if (!result.ok) books.wrong(`${id}: the grant was refused as ${result.why}`)
  })
  books.owe(id, 777)
}

/** A change of the overage limit, with the same reference until it is answered. */
const overage: Scenario = async ({ world, books, id, lossy }) => {
  const limit = Math.floor(Math.random() * 5) * 1000
  await lossy(async () => {
    const result = await insist(() =>
      world.store.ledger.setOverage({ account: ACCOUNT, limit, ref: id, owner: 'cli', now: world.clock.now() }),
    )
    if (!result.ok) books.wrong(`${id}: the limit was refused as ${result.why}`)
  })
  const balance = await world.direct.ledger.balance(ACCOUNT)
  if (balance?.overage !== limit) books.wrong(`${id}: the limit is ${balance?.overage}, not ${limit}`)
  books.owe(id, 0)
}

/** What a gateway leaves that dies: a hold past its deadline and a charge without delivery, and the sweep that settles them. */
const sweep: Scenario = async ({ world, books, id, lossy }) => {
  const { ledger } = world.direct
  const now = world.clock.now()
  const key = (await world.direct.keys.list(ACCOUNT, { now, limit: 1, offset: 0 })).keys[0]?.id ?? ''
  const place = { account: ACCOUNT, amount: PRICE, owner: 'dead', auth: 0, key, capped: false, capability: 'test.echo', maxOpen: 64 }
  for (const hold of [`${id}-held`, `${id}-charged`]) await ledger.hold({ ...place, hold, now, deadline: now - 60_000 })
  const known = facts({ request_id: id, key_id: key })
  await ledger.charge({ account: ACCOUNT, hold: `${id}-charged`, amount: PRICE, owner: 'dead', facts: known, now })
  const request = { now, graceMs: 30_000, owner: world.instance, deadOwners: ['dead'] }
  await lossy(() => tolerate(() => world.store.ledger.sweep(request)))
  await insist(() => world.store.ledger.sweep(request))
  books.owe(id, 0)
  const left = await ledger.resolve(ACCOUNT, `${id}-held`)
  if (left.state !== 'released') books.wrong(`${id}: the overdue hold is ${left.state}`)
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  call,
  failing,
  gone,
  keyed: (stage) => keyed(stage, false),
  'keyed-failing': (stage) => keyed(stage, true),
  grant,
  overage,
  sweep,
}
