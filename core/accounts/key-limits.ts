/** The most that a key may be given, by the API and the command line alike. */
export const KEY_LIMITS = {
  /** Characters of its label. */
  name: 100,
  /** Requests a minute. */
  rate: 100_000,
  /** Days until it expires. */
  days: 36_500,
  /** Seconds that it lives on beside the one that replaced it. */
  overlap: 2_592_000,
} as const
