import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import type { Net } from '../../../core/outbound/types.js'
import { Fault, type Vendor } from '../../../core/sdk/index.js'

const LIMIT_MS = 2_000

/**
 * Connects to a mail or WHOIS server. Answers why that was not possible, or null. Where the protocol has a closing line, it is sent behind the greeting,
 * and the server closes the connection; one that does neither in time is open all the same.
 */
export async function connects(
  net: Pick<Net, 'connect'>,
  { host, port, closingLine }: NonNullable<Vendor['reaches']>,
): Promise<string | null> {
  const cancel = new Cancel(systemClock, systemClock.monotonic() + LIMIT_MS)
  const stop = systemClock.after(LIMIT_MS, () => cancel.cancel('deadline'))
  try {
    const lines = await net.connect(host, port, { timeoutMs: LIMIT_MS }, cancel)
    try {
      if (closingLine !== undefined && (await lines.readLine()) !== null) {
        await lines.write(closingLine)
        await lines.readAll()
      }
    } catch (error) {
      // What a server says, or fails to say, does not close the port.
      if (!Fault.is(error)) throw error
    } finally {
      lines.close()
    }
    return null
  } catch (error) {
    if (Fault.is(error)) return error.message
    throw error
  } finally {
    stop()
  }
}
