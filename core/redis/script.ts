import { createHash } from 'node:crypto'
import type { Script } from './types.js'

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
