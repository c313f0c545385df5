import type { VendorUse } from '../limits/unpaid.js'

/** Vendor use of one call, with its probes and loads of shared values, which may continue after the call has ended. */
export class CallVendorUse {
  #use: VendorUse = { tokens: 0, calls: 0 }
  #count: ((use: VendorUse) => void) | null = null

  add({ tokens = 0, calls = 0 }: Partial<VendorUse>): void {
    if (this.#count === null) this.#use = { tokens: this.#use.tokens + tokens, calls: this.#use.calls + calls }
    else this.#count({ tokens, calls })
  }

  /** The call ended without a charge or is refunded: reports the use so far, and all later use at once. */
  unpaid(count: (use: VendorUse) => void): void {
    if (this.#count !== null) return
    this.#count = count
    if (this.#use.tokens > 0 || this.#use.calls > 0) count(this.#use)
  }
}

/** Outcomes of a try for which a vendor that replied with success is assumed to charge. */
const CHARGED_FOR: readonly string[] = ['ok', 'missing', 'invalid']

/** Vendor use of one try. */
export class TryUse {
  /** The vendor reported a cost. */
  costs = false
  /** The vendor replied with success (2xx). */
  replied = false
  /** The call ended or was cancelled before the try did. */
  stopped = false

  /** Records the status of a reply that was mapped to a Fault. */
  noteStatus(status: number | undefined): void {
    this.replied ||= status !== undefined && status >= 200 && status < 300
  }

  /**
   * Whether the vendor is assumed to charge for the try: it reported a cost; or it has a key of the operator and
   * replied with success, and the try ended in a result or a definite `missing`, or was stopped. A vendor that failed
   * or sent an unreadable reply is assumed not to charge.
   */
  isCharged(kind: 'local' | 'keyless' | 'keyed', outcome: string): boolean {
    return this.costs || (kind === 'keyed' && this.replied && (this.stopped || CHARGED_FOR.includes(outcome)))
  }
}
