import { Cancel } from '../runtime/cancel.js'
import { systemClock } from '../runtime/clock.js'
import type { Net } from '../outbound/types.js'
import { Fault } from '../sdk/index.js'

const LIMIT_MS = 2_000

/** Connects to a mail or WHOIS server, and says nothing there. Answers why that was not possible, or null. */
export async function connects(net: Pick<Net, 'connect'>, host: string, port: number): Promise<string | null> {
  const cancel = new Cancel(systemClock, systemClock.monotonic() + LIMIT_MS)
  const stop = systemClock.after(LIMIT_MS, () => cancel.cancel('deadline'))
  try {
    const lines = await net.connect(host, port, { timeoutMs: LIMIT_MS }, cancel)
    lines.close()
    return null
  } catch (error) {
    if (Fault.is(error)) return error.message
    throw error
  } finally {
    stop()
  }
}
