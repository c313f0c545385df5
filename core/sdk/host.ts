import type { Vendor } from './vendor.js'

/** A vendor with the operator's configuration: what `api` needs to reach it. */
export interface VendorAccess {
  readonly vendor: Vendor
  /** Configured address, without a trailing slash; empty for local vendors. */
  readonly baseUrl: string
  /** The operator set the address: it may be private, and all further hosts of the vendor are at this address too. */
  readonly operatorUrl: boolean
  readonly secret: (name: string) => string
  readonly settings: Readonly<Record<string, unknown>>
}
