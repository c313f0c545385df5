import { ulid } from '../core/runtime/id.js'
import { StoreUnavailable, type Facts, type Store } from '../core/store/types.js'
import { furnish } from '../test/support/store.js'
import { openLoop, quantile } from './open-loop.js'

const facts = (id: string): Facts => ({
  endpoint: '/v1/search',
  capability: 'search.web',
  mode: 'fast',
  product: 'agent',
  key_id: 'key_bench',
  request_id: id,
  status: 200,
  ms: 412,
  provider_used: 'tavily',
  providers_tried: ['searxng', 'tavily'],
  error: null,
})

/** One store as a gateway has it, and the answers whose delivery it has yet to mark. */
interface Gateway {
  readonly store: Store
  readonly owner: string
  marks: { account: string; ref: string }[]
}

/** Holds and charges as gateways make them, over one store or several, with deliveries marked in batches. */
export class LedgerLoad {
  /** How long hold and charge took together, in milliseconds, one number a call. */
  readonly latencies: number[] = []
  /** Calls, and batches of marks, that the store did not carry out in its time. */
  unavailable = 0
  readonly #gateways: readonly Gateway[]
  readonly #accounts: readonly string[]
  #turn = 0

  private constructor(stores: readonly Store[], accounts: readonly string[]) {
    this.#gateways = stores.map((store, index) => ({ store, owner: `bench ${index}`, marks: [] }))
    this.#accounts = accounts
  }

  /** On so many new accounts, with money for any number of calls. */
  static async on(stores: readonly [Store, ...Store[]], count: number): Promise<LedgerLoad> {
    const accounts = Array.from({ length: count }, (_, index) => `acc_${index}`)
    for (const account of accounts) await furnish(stores[0], 1e12, account)
    return new LedgerLoad(stores, accounts)
  }

  /** So many calls at any moment, for so many seconds. */
  async closed(inFlight: number, seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1000
    const timer = setInterval(() => void this.#flush(), 10)
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (performance.now() < end) await this.#counted(this.#call())
      }),
    )
    clearInterval(timer)
    await this.#flush()
  }

  /** So many calls, so many of them at any moment. */
  async times(inFlight: number, calls: number): Promise<void> {
    let begun = 0
    await Promise.all(
      Array.from({ length: Math.min(inFlight, calls) }, async () => {
        while (begun++ < calls) await this.#counted(this.#call())
      }),
    )
    await this.#flush()
  }

  /** So many calls a second, whether or not the earlier ones are answered. */
  async paced(perSecond: number, seconds: number): Promise<void> {
    await openLoop({ perSecond, seconds, between: () => this.#flush() }, () => this.#counted(this.#call()))
    await this.#flush()
  }

  /** The time that this part of the calls took at most, in milliseconds. */
  quantile(part: number): number {
    return quantile(this.latencies, part)
  }

  async #call(): Promise<void> {
    const turn = this.#turn++
    const account = this.#accounts[turn % this.#accounts.length] ?? ''
    const gateway = this.#gateways[turn % this.#gateways.length]
    if (gateway === undefined) throw new Error('a load needs a store')
    const { owner } = gateway
    const { ledger } = gateway.store
    const now = Date.now()
    const hold = ulid(now)
    const began = performance.now()
    const place = { account, hold, amount: 1000, deadline: now + 60_000, owner, auth: 0, key: 'key_bench', capped: false }
    const held = await ledger.hold({ ...place, capability: 'search.web', maxOpen: 100_000, now })
    if (!held.ok) throw new Error(`a hold was refused: ${held.why}`)
    const charged = await ledger.charge({ account, hold, amount: 1000, owner, facts: facts(hold), now })
    if (!charged.ok) throw new Error(`a charge was refused: ${charged.why}`)
    this.latencies.push(performance.now() - began)
    gateway.marks.push({ account, ref: hold })
  }

  async #flush(): Promise<void> {
    await Promise.all(
      this.#gateways.map(async (gateway) => {
        const { marks } = gateway
        gateway.marks = []
        if (marks.length > 0) await this.#counted(gateway.store.ledger.delivered(marks))
      }),
    )
  }

  async #counted(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      this.unavailable++
    }
  }
}
