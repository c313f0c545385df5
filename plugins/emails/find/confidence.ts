/** Confidence of an answer, 0 to 100. The README has the same table; a vendor with its own score keeps it. */
export const CONFIDENCE = {
  /** The mail server accepts the mailbox, and a vendor, the site or a pattern of the domain supports it. */
  existsAsShown: 95,
  /** The mail server accepts the mailbox. */
  exists: 85,
  /** The same for a first or last name alone, which others may share. */
  existsOneName: 75,
  /** The mail server accepts it, but may accept any name. */
  acceptedUnsure: 60,
  /** Not confirmed, but listed by the site or a vendor. */
  shown: 50,
  /** Not confirmed, by a pattern of the domain's known addresses. */
  byPattern: 40,
  /** Not confirmed, by the most common pattern; used only for catch-all domains. */
  usual: 30,
  /** A vendor without a score reports the address as verified. */
  vendorValid: 95,
  /** A vendor without a score reports a catch-all domain. */
  vendorCatchAll: 60,
  /** A vendor without a score returns it unverified. */
  vendorUnverified: 50,
  /** The same when the vendor's verification had no result. */
  vendorUnknown: 40,
} as const
