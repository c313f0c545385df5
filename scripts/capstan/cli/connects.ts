import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import type { Net } from '../../../core/outbound/types.js'
import { Fault, type Vendor } from '../../../core/sdk/index.js'

const LIMIT_MS = 2_000

/**
 * Connects to a mail or WHOIS server. Returns why that failed, or null. If the protocol has a closing line, it is sent after the greeting,
 * and the server closes the connection; the port counts as open even if the server does neither in time.
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
      // The port is open whatever the server answers.
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
