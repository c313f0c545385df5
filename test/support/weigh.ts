import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GuestPlugins } from './guest-plugin.js'

/** What a gateway holds after garbage collections. */
export interface Weighed {
  /** Heap and what lies outside of it. */
  readonly bytes: number
  readonly descriptors: number
  readonly handles: number
  /** Resources that guests have opened and not closed, where they count them in `globalThis.opened`. */
  readonly resources: number
}

const WEIGH = `async ({ text }) => {
  for (let n = 0; n < Number(text); n++) await import(new URL('../empty.mjs?n=' + n, import.meta.url).href)
  for (let n = 0; n < 4; n++) { globalThis.gc(); await new Promise((r) => setTimeout(r, 25)) }
  const { heapUsed, external } = process.memoryUsage()
  const descriptors = readdirSync('/proc/self/fd').length
  const handles = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate').length
  return { text: JSON.stringify({ bytes: heapUsed + external, descriptors, handles, resources: globalThis.opened ?? 0 }) }
}`

/**
 * Writes a plugin whose capability `weigh` answers a `Weighed` as JSON, in a gateway started with `--expose-gc`. Its `text` is the number
 * of empty modules that it imports first.
 */
export function writeWeigh(guests: GuestPlugins): void {
  guests.write({ name: 'weigh', providers: { weigh: { head: "import { readdirSync } from 'node:fs'", run: WEIGH } } })
  writeFileSync(join(guests.folder, 'weigh', 'empty.mjs'), '')
}
