/** A foreign address that the guard let pass. */
export interface PublicAddress {
  /** The address in its normal form. */
  readonly url: string
  /** What its host stands for, each checked. */
  readonly addresses: readonly string[]
}

/** The guard, for addresses that `web` does not fetch. */
export interface AddressCheck {
  /**
   * Looks up and checks, as `web` does, a foreign address that a program will open by itself. Throws a `blocked` Fault for one that may not be
   * reached, `missing` for an unknown host. The name may stand for others a moment later: have the program connect to one of the addresses, or
   * through the guard proxy.
   */
  assertPublic(url: string): Promise<PublicAddress>
}
