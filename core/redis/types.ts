import { createHash } from 'node:crypto'

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

/** Lua that sets `now` to the server's time in Unix milliseconds: replicas' clocks need not agree. */
export const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** A script with its digest. */
export function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/** A script's reply as `count` integers; null for anything else, such as the answer of a server that is not Redis. */
export function integers(reply: unknown, count: number): number[] | null {
  if (!Array.isArray(reply) || reply.length !== count) return null
  const values: unknown[] = reply
  return values.every((value) => typeof value === 'number' && Number.isSafeInteger(value)) ? values.map(Number) : null
}
