/** How sure an answer is, 0 to 100. The README has the same table; a vendor with a score of its own keeps it. */
export const CONFIDENCE = {
  /** The mail server has the mailbox, and a vendor, the site or a pattern of the domain names it too. */
  existsAsShown: 95,
  /** The mail server has the mailbox. */
  exists: 85,
  /** The same for a first or last name alone, which may be that of somebody else. */
  existsOneName: 75,
  /** The mail server takes it, but may take any name. */
  acceptedUnsure: 60,
  /** Not confirmed, but shown by the site or a vendor as it is. */
  shown: 50,
  /** Not confirmed, by a pattern that addresses of the domain show. */
  byPattern: 40,
  /** Not confirmed, by the commonest pattern; given only where the domain takes mail for any name. */
  usual: 30,
  /** A vendor without a score says that the address is verified. */
  vendorValid: 95,
  /** A vendor without a score says that the domain takes mail for any name. */
  vendorCatchAll: 60,
  /** A vendor without a score names it without having verified it. */
  vendorUnverified: 50,
  /** The same where the vendor tried without a result. */
  vendorUnknown: 40,
} as const
