import { request } from 'node:http'
import { startGateway, type Reply, type TestGateway } from './gateway.js'
import { sqliteLink, type LossyLink } from './lost-replies-links.js'
import { german, MessageVendors } from './message-world.js'
import { HandClock } from './outbound.js'
import { until } from './time.js'
import { StoreUnavailable, type Store } from '../../core/store/types.js'

const ACCOUNT = 'default'
const PRICE = 1_000
const PAGE = 500
/** Longer than the lock of an Idempotency-Key and than the deadline of a hold with its grace, in ms. */
const LATER_MS = 200_000
/** Caps that none of so many messages reaches. */
const FILE =
  'plugins:\n  messages:\n    per_number_per_10_minutes: 100000\n    per_number_per_day: 100000\n    per_prefix_per_day: 100000\n    per_account_per_day: 100000\n    per_country_per_day: 1000000\n    country_factor: 0\n'

/** A gateway whose ledger and vendors break off on command, and a second way to the same ledger. */
export class LostMessages {
  readonly vendors: MessageVendors
  readonly #gateway: TestGateway
  readonly #key: string
  readonly #link: LossyLink
  readonly #clock: HandClock
  readonly #away: { now: boolean }
  #count = 0
  /** The last entry that was read in the search for new ones. */
  #seen = 0

  private constructor(parts: {
    vendors: MessageVendors
    gateway: TestGateway
    key: string
    link: LossyLink
    clock: HandClock
    away: { now: boolean }
  }) {
    this.vendors = parts.vendors
    this.#gateway = parts.gateway
    this.#key = parts.key
    this.#link = parts.link
    this.#clock = parts.clock
    this.#away = parts.away
  }

  static async start(): Promise<LostMessages> {
    const [vendors, link] = [await MessageVendors.start(), await sqliteLink()]
    const [clock, away] = [new HandClock(), { now: false }]
    const env = { ...vendors.env(), CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1000000', CAPSTAN_LIMIT_UNPAID_VENDOR_CALLS: '1000000' }
    const overrides = { store: leaving(link.store, away), clock }
    const gateway = await startGateway({ bundled: true, env, file: FILE, overrides })
    const money = {
      account: ACCOUNT,
      ref: 'money',
      kind: 'grant',
      amount: 1e9,
      note: null,
      facts: null,
      owner: 'test',
      now: clock.now(),
    } as const
    await link.direct.ledger.post(money)
    const { key } = await gateway.newKey()
    return new LostMessages({ vendors, gateway, key, link, clock, away })
  }

  /** A name for one message, which is its text and its request id, and a number of its own. */
  next(kind: string): { readonly id: string; readonly to: string } {
    return { id: `${kind}-${String(++this.#count)}`, to: german(this.#count) }
  }

  async send({ id, to }: { id: string; to: string }, keyed: boolean): Promise<Reply> {
    this.resume()
    return await this.#gateway.send('/v1/messages/send', {
      method: 'POST',
      key: this.#key,
      body: { to, message: id },
      headers: { 'x-request-id': id, ...(keyed ? { 'idempotency-key': id } : {}) },
    })
  }

  /** Sends a message and hangs up as soon as its vendor has answered. */
  async sendAndLeave({ id, to }: { id: string; to: string }, keyed: boolean): Promise<void> {
    this.resume()
    const body = JSON.stringify({ to, message: id })
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json', 'x-request-id': id }
    const sent = request(`${this.#gateway.url}/v1/messages/send`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, ...(keyed ? { 'idempotency-key': id } : {}) },
    })
    sent.on('error', () => undefined)
    this.vendors.onAnswered = () => void sent.destroy()
    const before = await this.#lastSeq()
    sent.end(body)
    await until(async () => (await this.#entries(before)).some(({ facts }) => facts?.request_id === id), 20_000, `the end of ${id}`)
    this.vendors.onAnswered = () => undefined
  }

  /** From now on every command of the ledger is lost, before it is carried out; until `storeIsBack`. */
  storeIsAway(): void {
    this.#away.now = true
  }

  storeIsBack(): void {
    this.#away.now = false
  }

  /** Does the work while one of its commands to the ledger, or the reply to it, is lost. */
  async lossy(at: number, fault: 'cut-request' | 'cut-reply', work: () => Promise<unknown>): Promise<void> {
    await this.#link.lossy({ at, fault }, work)
  }

  pass(ms: number): void {
    this.#clock.advance(ms)
  }

  /** Lets deadlines and locks pass, sweeps as another gateway would, and returns what is wrong with the ledger. */
  async settle(): Promise<string[]> {
    this.pass(LATER_MS)
    const sweep = { now: this.#clock.now(), graceMs: 30_000, owner: 'sweeper', deadOwners: [this.#gateway.app.services.instance] }
    for (let more = true; more;) {
      const { released, refunded } = await this.#link.direct.ledger.sweep(sweep)
      more = released + refunded > 0
    }
    const { held = NaN } = (await this.#link.direct.ledger.balance(ACCOUNT)) ?? {}
    return [...(await this.#link.audit(this.#clock.now())), ...(held === 0 ? [] : [`${String(held)} are still held`])]
  }

  /** The state of each message in the ledger, by its id. A message that is charged otherwise than once has a word of its own. */
  async books(): Promise<Map<string, string>> {
    const sums = new Map<string, number>()
    for (let afterSeq = 0; ;) {
      const page = await this.#entries(afterSeq)
      for (const { amount, facts } of page)
        if (facts?.request_id !== undefined) sums.set(facts.request_id, (sums.get(facts.request_id) ?? 0) + amount)
      afterSeq = page.at(-1)?.seq ?? afterSeq
      if (page.length < PAGE) break
    }
    const word = (sum: number): string => (sum === 0 ? 'released' : sum === -PRICE ? 'charged' : `charged ${String(sum)}`)
    return new Map([...sums].map(([id, sum]) => [id, word(sum)]))
  }

  /** How often a message reached any vendor. */
  reached(id: string): number {
    return this.vendors.received.filter(({ text }) => text === id).length
  }

  /** Ends the suspensions that failures of the vendors caused. */
  resume(): void {
    const { suspensions } = this.#gateway.app.services
    for (const id of suspensions.ids()) suspensions.resume(id)
  }

  async close(): Promise<void> {
    await this.#gateway.close()
    await this.vendors.close()
    await this.#link.close()
  }

  async #lastSeq(): Promise<number> {
    for (;;) {
      const page = await this.#entries(this.#seen)
      this.#seen = page.at(-1)?.seq ?? this.#seen
      if (page.length < PAGE) return this.#seen
    }
  }

  async #entries(afterSeq: number) {
    return await this.#link.direct.ledger.entries({ account: ACCOUNT, afterSeq, limit: PAGE })
  }
}

/** The store, whose commands to the ledger and to the Idempotency-Keys are lost while it is away. */
function leaving(store: Store, away: { readonly now: boolean }): Store {
  const guarded = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]): unknown =>
          away.now ? Promise.reject(new StoreUnavailable('the database is away')) : (Reflect.apply(method, target, args) as unknown)
      },
    })
  return { ...store, ledger: guarded(store.ledger), idempotency: guarded(store.idempotency) }
}
