/** A Lua script, run by its SHA-1 once the server has it. */
export interface Script {
  readonly lua: string
  readonly sha: string
}

export interface RedisState {
  /** False while every replica uses its own share of the limits. */
  readonly shared: boolean
  /** For health pages and logs: `answers`, or why it does not. Never contains a password. */
  readonly detail: string
}

/** State shared by replicas that may be lost: limits, suspensions, caches. No method rejects or waits over 50 ms. */
export interface RedisLink {
  /** Runs a script atomically, in one round trip. Null when Redis was skipped, failed or was too slow. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** One command in one round trip; null as for `run`. Only for commands that never answer nil themselves. */
  call(command: string, ...args: readonly (string | number)[]): Promise<unknown>
  state(): RedisState
  /** Calls back at every change between shared and alone; the returned function stops that. */
  onChange(listener: (state: RedisState) => void): () => void
  close(): void
}
