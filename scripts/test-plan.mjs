import { existsSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/**
 * Spec files that `npm test` runs by themselves, after the others: they measure memory or single milliseconds, or count on answers within
 * milliseconds, which whatever runs beside them would change. Time limits that allow for a busy machine (test/support/time.ts) are not among these.
 */
export const ALONE = [
  'plugins/browser/pulse.spec.ts',
  'plugins/scrape/main-thread.spec.ts',
  'plugins/documents/schema/caller-schema.spec.ts',
  'test/core/accounts/timing.spec.ts',
  'test/core/redis/connection.spec.ts',
  'test/core/redis/gateway.spec.ts',
  'test/outage/reload-memory.spec.ts',
  'test/outage/store.spec.ts',
  'test/replicas/latency.spec.ts',
  'test/replicas/limits.spec.ts',
  'test/replicas/trips.spec.ts',
]

/** Memory for one process and what its tests start. */
const LANE_BYTES = 1.5 * 2 ** 30

/**
 * How many processes run tests at a time, by processors and bytes of memory. Tests wait for time limits, programs and servers:
 * with four processes two processors are idle for a twentieth of the time.
 */
export function lanesFor(cores, bytes) {
  return cores < 2 ? 1 : Math.max(1, Math.min(cores * 2, Math.floor(bytes / LANE_BYTES)))
}

/** What this process and its children may use, in bytes: the machine's, or the limit of the control group. */
export function usableMemory() {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** Of a spec file that never ran here, in milliseconds: of one of those below, and of any other. */
const UNKNOWN_LONG_MS = 30_000
const UNKNOWN_MS = 1_000

/** The longest first, so that no process ends long after the others; `times` is what files took when they last ran, in milliseconds by name. */
export function longestFirst(files, nameOf, times) {
  const expected = (file) => times[nameOf(file)] ?? (FIRST.includes(nameOf(file)) ? UNKNOWN_LONG_MS : UNKNOWN_MS)
  return [...files].sort((one, other) => expected(other) - expected(one))
}

/** What spec files took when they last ran, in milliseconds by name; empty before the first run. A record that cannot be read counts as none. */
export function recorded(file) {
  if (!existsSync(file)) return {}
  try {
    const times = JSON.parse(readFileSync(file, 'utf8'))
    return Object.fromEntries(Object.entries(times).filter(([, ms]) => typeof ms === 'number'))
  } catch (error) {
    // A run that was stopped while it wrote.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Spec files that take longest, for a machine on which they never ran. */
export const FIRST = [
  'plugins/browser/egress.spec.ts',
  'plugins/browser/inside.spec.ts',
  'plugins/code/bubblewrap.spec.ts',
  'plugins/cutouts/cutouts.spec.ts',
  'plugins/images/images.spec.ts',
  'plugins/media/media.spec.ts',
  'plugins/messages/limits/limits.spec.ts',
  'plugins/reading/documents.spec.ts',
  'plugins/reading/ocr.spec.ts',
  'plugins/scrape/extract.spec.ts',
  'plugins/scrape/gate/gate.spec.ts',
  'plugins/scrape/thorough.spec.ts',
  'plugins/sites/hostile.spec.ts',
  'plugins/sites/parts/subdomains/subdomains.spec.ts',
  'plugins/sites/sites.spec.ts',
  'plugins/transcription/local.spec.ts',
  'plugins/transcription/transcription.spec.ts',
  'test/capstan/cli/first-start.spec.ts',
  'test/conformance/outage.spec.ts',
  'test/conformance/plugins.spec.ts',
  'test/clients/python.spec.ts',
  'test/clients/typescript/generated.spec.ts',
  'test/docs/client-examples.spec.ts',
  'test/docs/commands.spec.ts',
  'test/http/mcp/conformance.spec.ts',
  'test/docs/plugins.spec.ts',
  'test/http/hostile-documents.spec.ts',
  'test/http/hostile-media.spec.ts',
  'test/http/money/shipped.spec.ts',
  'test/http/shipped/examples.spec.ts',
  'test/http/shipped/generated.spec.ts',
  'test/http/shipped/injection.spec.ts',
  'test/http/shipped/secrets.spec.ts',
  'test/http/shipped/world.spec.ts',
  'test/mistakes/commands/commands.spec.ts',
  'test/outage/process.spec.ts',
  'test/scripts/bytes.spec.ts',
  'test/scripts/start.spec.ts',
  'test/scripts/test-lanes.spec.ts',
  'test/store/conformance.spec.ts',
  'test/store/model.spec.ts',
  'test/store/mongodb/conformance.spec.ts',
]
