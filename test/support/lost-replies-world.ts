import { startCall } from '../../core/calls/run.js'
import type { CallOutcome } from '../../core/calls/order.js'
import { StoreUnavailable, type Store } from '../../core/store/types.js'
import { startGateway, type TestGateway } from './gateway.js'
import type { Hit, LossyLink, ShiftedClock, Strike } from './lost-replies-links.js'
import { Fault as VendorFault } from './test-plugin.js'

/** Reference of the grant that every call is paid from. */
export const MONEY = 'money'

/** What a client sees of a call, and what the gateway does once it has or has not got it. */
type Answered = Pick<CallOutcome, 'status' | 'body' | 'delivered' | 'lost'>

/** A gateway whose store is behind a link that loses messages, and a second way to the same ledger. */
export class LossyWorld {
  readonly clock: ShiftedClock
  readonly #gateway: TestGateway
  readonly #store: Store
  readonly #link: LossyLink
  /** Texts whose next call a provider fails. */
  readonly #failing: Set<string>

  private constructor(parts: { clock: ShiftedClock; gateway: TestGateway; store: Store; link: LossyLink; failing: Set<string> }) {
    this.clock = parts.clock
    this.#gateway = parts.gateway
    this.#store = parts.store
    this.#link = parts.link
    this.#failing = parts.failing
  }

  /** `change` puts something else in the place of the store, to see that the failure cases find what is wrong with it. */
  static async open(link: LossyLink, change: (store: Store) => Store = (store) => store): Promise<LossyWorld> {
    const { clock } = link
    const store = change(link.store)
    const failing = new Set<string>()
    const run = async ({ text }: { text: string }) => {
      if (failing.delete(text)) throw new VendorFault('broken', 'the vendor failed')
      return { text }
    }
    const script = { 'test.echo': [{ vendor: 'one', run }] }
    const gateway = await startGateway({ script, overrides: { store, clock } })
    // The credits of a first start are spent after some 3,600 calls.
    const money = {
      account: 'default',
      ref: MONEY,
      kind: 'grant',
      amount: 1e9,
      note: null,
      facts: null,
      owner: 'test',
      now: clock.now(),
    } as const
    await link.direct.ledger.post(money)
    return new LossyWorld({ clock, gateway, store, link, failing })
  }

  /** The store past the link. */
  get direct(): Store {
    return this.#link.direct
  }

  /** The store that the gateway uses. */
  get store(): Store {
    return this.#store
  }

  get instance(): string {
    return this.#gateway.app.services.instance
  }

  /** Sends one call through the gateway's own code; a key that cannot be read is answered 503, as by its routes. `failed` makes its provider fail this once. */
  async call(id: string, options: { key?: string; failed?: boolean } = {}): Promise<Answered> {
    try {
      return await this.#call(id, options)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return { status: 503, body: Buffer.alloc(0), delivered: () => undefined, lost: () => Promise.resolve() }
    }
  }

  async #call(id: string, options: { key?: string; failed?: boolean }): Promise<Answered> {
    const { services } = this.#gateway.app
    const loaded = services.registry().capabilities.get('test.echo')
    if (loaded === undefined) throw new Error('the test capability is not there')
    const caller = await services.authenticator.authenticate(`Bearer ${this.#gateway.key}`, '127.0.0.1', 'charged')
    if (options.failed === true) this.#failing.add(id)
    const running = startCall(services, {
      ...{ caller, loaded, input: { text: id, mode: 'plain', times: 1, note: null }, requestId: id, product: 'agent', via: null },
      idempotency:
        options.key === undefined ? null : { key: options.key, fingerprint: `print of ${options.key}`, cancelOnDisconnect: false },
      ...{ started: services.clock.monotonic(), onProgress: null, onAdmitted: null },
      refresh: () => services.authenticator.refresh(caller),
    })
    return await running.outcome
  }

  /** Writes the delivery marks that wait. */
  async flush(): Promise<void> {
    await this.#gateway.app.services.deliveries.flush()
  }

  /** Commands that some work sends. */
  async commandsOf(work: () => Promise<unknown>): Promise<number> {
    return await this.#link.commandsOf(work)
  }

  /** Does the work while one of its commands, or its answer, is lost. */
  async lossy(strike: Strike, work: () => Promise<unknown>): Promise<Hit | null> {
    return await this.#link.lossy(strike, work)
  }

  /** Problems that the auditor finds now. */
  async audit(): Promise<string[]> {
    return await this.#link.audit(this.clock.now())
  }

  async close(): Promise<void> {
    await this.#gateway.close()
    await this.#link.close()
  }
}
