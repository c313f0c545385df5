import type { VendorUse } from '../limits/unpaid.js'

/** What one call used of vendors, with its probes and loads of shared values; both may go on after the call has ended. */
export class CallVendorUse {
  #use: VendorUse = { tokens: 0, calls: 0 }
  #count: ((use: VendorUse) => void) | null = null

  add({ tokens = 0, calls = 0 }: Partial<VendorUse>): void {
    if (this.#count === null) this.#use = { tokens: this.#use.tokens + tokens, calls: this.#use.calls + calls }
    else this.#count({ tokens, calls })
  }

  /** The call ended without a charge, or its charge is refunded: hands over what was used so far, and at once what is used later. */
  unpaid(count: (use: VendorUse) => void): void {
    if (this.#count !== null) return
    this.#count = count
    if (this.#use.tokens > 0 || this.#use.calls > 0) count(this.#use)
  }
}

/** Outcomes of a try for which a vendor that replied with success is taken to charge. */
const CHARGED_FOR: readonly string[] = ['ok', 'missing', 'invalid']

/** What one try had its vendor do. */
export class TryUse {
  /** The vendor reported what it charged. */
  costs = false
  /** The vendor replied with success (2xx). */
  replied = false
  /** The call ended or was given up before the try did. */
  stopped = false

  /** Notes the status of a vendor's reply that was read as a Fault. */
  noteStatus(status: number | undefined): void {
    this.replied ||= status !== undefined && status >= 200 && status < 300
  }

  /**
   * Whether the try counts as a call that its vendor charges for: the vendor reported a cost, or has a key of the operator, replied with success and
   * the try ended in a result or in the vendor's word that there is none, or was stopped before it ended. A vendor that failed or sent what cannot be
   * read is taken to charge nothing.
   */
  isCharged(kind: 'local' | 'keyless' | 'keyed', outcome: string): boolean {
    return this.costs || (kind === 'keyed' && this.replied && (this.stopped || CHARGED_FOR.includes(outcome)))
  }
}
