/** What a model vendor counted for one request. */
export interface ModelTokens {
  /** The model that was asked for. */
  readonly model: string
  readonly input: number
  readonly output: number
  /** An estimate for a request that was stopped before its reply: it counts to the limit of unpaid tokens alone, not to metrics or the answer. */
  readonly estimated?: true
}

/** What belongs to one try of one provider. */
export interface TryServices<Context> {
  /**
   * Work that runs when this try ends in any way, also when its caller leaves or the gateway stops, unless it is withdrawn by the returned
   * function: to end at the vendor what the try began there. It gets a context of its own, `timeoutMs` (default 5,000, at most 30,000) and no
   * caller; nobody waits for it, and its failure is only logged.
   */
  cleanUp(work: (context: Context) => Promise<unknown>, options?: { readonly timeoutMs?: number }): () => void
  /**
   * What the vendor says this call cost, counted by vendor and currency: `USD`, or a unit in small letters such as `credits`. A figure that is
   * none is logged and not counted.
   */
  cost(amount: number, currency: string): void
  /** What a model vendor counted, also for an answer that is of no use: summed by vendor and model in `metadata.usage`. */
  tokens(used: ModelTokens): void
}
