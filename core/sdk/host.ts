import type { Vendor } from './vendor.js'

/** A vendor with everything the operator configured for it: what `api` needs to reach it. */
export interface VendorAccess {
  readonly vendor: Vendor
  /** Address in force, without a trailing slash; empty for local vendors. */
  readonly baseUrl: string
  /** Set by the operator: may be a private address, and all further hosts of the vendor go there too. */
  readonly operatorUrl: boolean
  readonly secret: (name: string) => string
  readonly settings: Readonly<Record<string, unknown>>
}
