/** One reply, or one attempt without any, for counters. */
export interface RequestFacts {
  readonly kind: 'api' | 'web' | 'proxy'
  /** The vendor's id, or null for web traffic. */
  readonly vendor: string | null
  /** Status of the reply; null when there was none. */
  readonly status: number | null
}

/** Called on the request's path: must be quick and must not throw. */
export interface Hooks {
  readonly onRequest?: (facts: RequestFacts) => void
  /** A connection of the guard proxy ended, after so many bytes in both directions. */
  readonly onProxied?: (bytes: number) => void
}
