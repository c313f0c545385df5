import { setImmediate as turn } from 'node:timers/promises'
import { startCall } from '../../core/calls/run.js'
import type { CallOutcome } from '../../core/calls/order.js'
import type { Caller } from '../../core/accounts/caller.js'
import { StoreUnavailable, type Milli } from '../../core/store/types.js'
import { collect } from './collect.js'
import { startGateway, type TestGateway } from './gateway.js'
import type { OutageOrder, OutageReport } from './outage.js'
import type { AbsentStore } from './outage-link.js'

const ACCOUNTS = 20
/** Of each account, when the store goes away: answers to be marked, answers that do not arrive, calls at their provider. */
const OPEN = 8
/** Calls begun between two turns of the event loop. */
const BURST = 50
const STEP_MS = 250
const SETTLE_MS = 600_000
/** References of what the accounts began with. */
const GRANTED = /^opening-balance$/
const MIB = 1024 * 1024

/** The gateway, its callers and what they were answered. */
export class OutageWorld {
  readonly #absent: AbsentStore
  readonly #order: OutageOrder
  readonly #gateway: TestGateway
  readonly #callers: Caller[]
  /** Calls whose provider waits, to be answered by hand. */
  readonly #held: (() => void)[]
  readonly #open = new Set<Promise<void>>()
  /** What each request has to have cost. */
  readonly #owed = new Map<string, Milli>()
  readonly #seen = { calls: 0, refused: 0, reversals: 0, deliveries: 0, grownMiB: 0 }
  readonly #unexpected: string[] = []
  #number = 0

  private constructor(parts: { absent: AbsentStore; order: OutageOrder; gateway: TestGateway; callers: Caller[]; held: (() => void)[] }) {
    this.#absent = parts.absent
    this.#order = parts.order
    this.#gateway = parts.gateway
    this.#callers = parts.callers
    this.#held = parts.held
  }

  static async open(absent: AbsentStore, order: OutageOrder): Promise<OutageWorld> {
    const held: (() => void)[] = []
    const run = async ({ text }: { text: string }) => {
      if (text === 'held') await new Promise<void>((resolve) => held.push(resolve))
      return { text }
    }
    const script = { 'test.echo': [{ vendor: 'one', run }] }
    const gateway = await startGateway({ script, overrides: { store: absent.store, clock: order.link.clock } })
    const callers: Caller[] = []
    for (let count = 0; count < ACCOUNTS; count++) {
      const { key } = await gateway.newAccount(100_000)
      callers.push(await gateway.app.services.authenticator.authenticate(`Bearer ${key}`, '127.0.0.1', 'charged'))
    }
    return new OutageWorld({ absent, order, gateway, callers, held })
  }

  /** Of each account: calls that end well, answers that are not marked yet, calls that stay open. */
  async before(): Promise<void> {
    for (const caller of this.#callers)
      for (let count = 0; count < OPEN; count++) {
        ;(await this.#start(caller, {}).outcome).delivered()
        if (count % 2 === 0) this.#follow(caller, { text: 'held' })
        else this.#follow(caller, { text: 'held', key: `before ${count}` })
      }
    while (this.#held.length < ACCOUNTS * OPEN) await turn()
    for (const caller of this.#callers)
      for (let count = 0; count < OPEN; count++) {
        const { id, outcome } = this.#start(caller, {})
        const { delivered, lost } = await outcome
        if (count % 2 === 0) delivered()
        else {
          this.#owed.set(id, 0)
          this.#wait(turn().then(lost))
        }
      }
  }

  /** Calls while the store is away; those that were open end, evenly spread. */
  async away(): Promise<void> {
    const { seconds, callsPerSecond, onProgress } = this.#order
    const { clock } = this.#order.link
    const total = seconds * callsPerSecond
    const every = Math.floor(total / this.#held.length)
    let heap = 0
    for (let count = 1; count <= total; count++) {
      const caller = this.#callers[count % ACCOUNTS]
      if (caller !== undefined) this.#follow(caller, count % 10 === 0 ? { key: `during ${count}` } : {})
      this.#seen.calls++
      clock.advance(1000 / callsPerSecond)
      if (count % every === 0) this.#held.pop()?.()
      if (count % BURST !== 0) continue
      await turn()
      this.#check()
      if (count % callsPerSecond !== 0) continue
      const second = count / callsPerSecond
      this.#absent.absence = second % 2 === 0 ? 'unsent' : 'unknown'
      if (second === Math.ceil(Math.min(60, seconds / 10))) heap = used()
      onProgress?.(second)
    }
    this.#seen.grownMiB = (used() - heap) / MIB
  }

  /** What the store's return brings: everything is settled, without anybody's help. */
  async after(): Promise<OutageReport> {
    const { clock } = this.#order.link
    const began = clock.monotonic()
    while (!(await this.#settled()) && clock.monotonic() - began < SETTLE_MS) {
      clock.advance(STEP_MS)
      await this.#absent.quiet()
      this.#check()
    }
    const settledSeconds = (clock.monotonic() - began) / 1000
    const { id, outcome } = this.#start(this.#callers[0] ?? fail(), {})
    const { status, delivered } = await outcome
    delivered()
    await this.#gateway.app.services.deliveries.flush()
    const problems = status === 200 ? [] : [`${id}: the first call afterwards was answered ${status}`]
    problems.push(...this.#unexpected, ...(await this.#order.link.audit(clock.now())), ...(await this.#compare()))
    return { ...this.#seen, dropped: await this.#dropped(), settledSeconds, problems }
  }

  async close(): Promise<void> {
    await this.#gateway.close()
  }

  async #dropped(): Promise<number> {
    const { text } = await this.#gateway.app.services.telemetry.metrics()
    return Number(/^capstan_reversals_dropped_total (\d+)$/m.exec(text)?.[1] ?? NaN)
  }

  #follow(caller: Caller, how: { text?: string; key?: string }): void {
    const { outcome } = this.#start(caller, how)
    this.#wait(
      outcome.then(({ delivered, status }) => {
        if (status === 503) this.#seen.refused++
        delivered()
      }),
    )
  }

  /** What ends without the ledger goes on by itself. */
  #wait(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) this.#unexpected.push(String(error))
      })
      .finally(() => this.#open.delete(done))
    this.#open.add(done)
  }

  #start(caller: Caller, { text = 'hello', key }: { text?: string; key?: string }): { id: string; outcome: Promise<CallOutcome> } {
    const { services } = this.#gateway.app
    const loaded = services.registry().capabilities.get('test.echo') ?? fail()
    const id = `request ${++this.#number}`
    const { outcome } = startCall(services, {
      ...{ caller, loaded, input: { text, mode: 'plain', times: 1, note: null }, requestId: id, product: 'agent', via: null },
      idempotency: key === undefined ? null : { key, fingerprint: key, cancelOnDisconnect: false },
      ...{ started: services.clock.monotonic(), onProgress: null, onAdmitted: null },
      refresh: () => services.authenticator.refresh(caller),
    })
    const noted = outcome.then((ended) => {
      // A refusal is not remembered: half an hour has millions of them.
      if (ended.creditsUsed > 0) this.#owed.set(id, -ended.creditsUsed)
      return ended
    })
    return { id, outcome: noted }
  }

  #check(): void {
    const { ledger, deliveries } = this.#gateway.app.services
    this.#seen.reversals = Math.max(this.#seen.reversals, ledger.undoing)
    this.#seen.deliveries = Math.max(this.#seen.deliveries, deliveries.size)
  }

  async #settled(): Promise<boolean> {
    const { ledger, deliveries, refunds } = this.#gateway.app.services
    if (this.#open.size > 0 || ledger.undoing > 0 || deliveries.size > 0 || refunds.unsettled > 0) return false
    for (const { account } of this.#callers) if ((await this.#order.link.direct.ledger.balance(account.id))?.open !== 0) return false
    return true
  }

  /** Each request against the sum of its entries. */
  async #compare(): Promise<string[]> {
    const problems: string[] = []
    const made = new Map<string, Milli>()
    for (const { account } of this.#callers) {
      let afterSeq = 0
      for (let page; (page = await this.#order.link.direct.ledger.entries({ account: account.id, afterSeq, limit: 500 })).length > 0;) {
        for (const { facts, amount, ref } of page) {
          const request = facts?.request_id ?? ref
          made.set(request, (made.get(request) ?? 0) + amount)
        }
        afterSeq = page.at(-1)?.seq ?? afterSeq
      }
      const balance = await this.#order.link.direct.ledger.balance(account.id)
      if (balance?.held !== 0 || balance.open !== 0) problems.push(`${account.id}: ${JSON.stringify(balance)}`)
    }
    for (const id of new Set([...this.#owed.keys(), ...made.keys()])) {
      const [owed, paid] = [this.#owed.get(id) ?? 0, made.get(id) ?? 0]
      if (owed !== paid && !GRANTED.test(id)) problems.push(`${id}: its client has to find ${owed}, the ledger says ${paid}`)
    }
    return problems
  }
}

function used(): number {
  collect()
  return process.memoryUsage().heapUsed
}

function fail(): never {
  throw new Error('what the test made is not there')
}
